import AtRestCrypto
import Foundation
import Synchronization

/// The secrets that a ``RedactingLogHandler`` knows and withholds, without keeping them.
///
/// Secrets are counted: one that is registered twice is withheld until it is unregistered twice.
///
/// Of each secret it keeps its count, and the HMAC-SHA-256 of the whole, of its beginning and of each
/// part of ``minimumPartCount`` bytes in its first 4,096, under a random key in locked memory that never
/// leaves the process; and of each of these 20 bits of a hash of its first 8 bytes. A core dump or a
/// swapped page holds nothing that leads back to a secret. Whoever reads the memory of the running
/// process has the key and can test guesses part by part: a password that a list has is found, and so
/// are 16 digits of a hexadecimal key after some 2⁴⁴ guesses; 16 random bytes are not.
///
/// Safe to use from several threads.
public final class SecretRegistry: Sendable {
  /// Secrets of fewer bytes are refused: they would be found where they are not.
  public static let minimumCount = 8
  /// A part of a secret that has so many bytes is withheld, wherever the secret was cut. Below, only
  /// the whole secret is.
  public static let minimumPartCount = 16

  private let needles: Mutex<Needles>

  /// Makes a registry without secrets.
  public init() { needles = Mutex(Needles()) }

  /// How many different secrets are registered.
  public var count: Int { needles.withLock { $0.count } }

  /// Has a secret withheld from now on, until it is unregistered as often as it was registered.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it has fewer than ``minimumCount`` bytes.
  public func register(_ secret: borrowing SecretBytes) throws {
    try secret.withUnsafeBytes { bytes in try register(bytes: bytes) }
  }

  /// Has text withheld from now on.
  ///
  /// - Throws: As `register(_:)` of secret bytes.
  public func register(_ secret: String) throws {
    var secret = secret
    try secret.withUTF8 { try register(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Has bytes withheld from now on.
  ///
  /// - Throws: As `register(_:)` of secret bytes.
  public func register(_ secret: Data) throws {
    try secret.withUnsafeBytes { try register(bytes: $0) }
  }

  private func register(bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count >= Self.minimumCount else {
      throw AtRestError(
        .invalidArgument,
        "A secret of \(bytes.count) bytes is too short to be told from other text.",
        remedy:
          "Register secrets of \(Self.minimumCount) bytes or more, and keep shorter ones out of "
          + "logs with Sensitive.")
    }
    needles.withLock { $0.insert(bytes) }
  }

  /// Takes one registration of a secret back; with the last one it is forgotten. Other secrets stay,
  /// also those that begin alike.
  public func unregister(_ secret: borrowing SecretBytes) {
    secret.withUnsafeBytes { bytes in needles.withLock { $0.remove(bytes) } }
  }

  /// Takes one registration of text back, as `unregister(_:)` of secret bytes.
  public func unregister(_ secret: String) {
    var secret = secret
    secret.withUTF8 { bytes in needles.withLock { $0.remove(UnsafeRawBufferPointer(bytes)) } }
  }

  /// Forgets every secret.
  public func removeAll() { needles.withLock { $0 = Needles() } }

  /// What to search for, as it is now: a search holds no lock.
  var snapshot: Needles { needles.withLock { $0 } }
}
