import AtRestCrypto
import Foundation
import Synchronization

/// The secrets that a ``RedactingLogHandler`` withholds. The registry does not keep the secrets
/// themselves.
///
/// Registrations are counted: a secret that is registered twice is withheld until it is
/// unregistered twice.
///
/// For each secret, the registry keeps its length and the HMAC-SHA-256 of the whole secret, of its
/// beginning, and of each part of ``minimumPartCount`` bytes in its first 4,096 bytes. The HMAC key
/// is random and in locked memory, and never leaves the process. For the beginning and for each
/// part, the registry also keeps 20 bits of a hash of the first 8 bytes. A core dump or a swapped
/// page contains nothing from which a secret could be recovered. Anyone who reads the memory of the
/// running process has the key and can test guesses part by part. Such guessing finds a password
/// that is in a list, and 16 digits of a hexadecimal key after about 2⁴⁴ guesses, but not 16 random
/// bytes.
///
/// Safe to use from several threads.
public final class SecretRegistry: Sendable {
  /// The shortest secret that can be registered, in bytes. Shorter secrets would also match other
  /// text.
  public static let minimumCount = 8
  /// The size, in bytes, from which a part of a secret is withheld, wherever the secret was cut. A
  /// shorter secret is withheld only as a whole.
  public static let minimumPartCount = 16

  private let needles: Mutex<Needles>

  /// Creates a registry without secrets.
  public init() { needles = Mutex(Needles()) }

  /// The number of different secrets that are registered.
  public var count: Int { needles.withLock { $0.count } }

  /// Withholds a secret from now on, until it is unregistered as often as it was registered.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret has fewer than ``minimumCount``
  ///   bytes.
  public func register(_ secret: borrowing SecretBytes) throws {
    try secret.withUnsafeBytes { bytes in try register(bytes: bytes) }
  }

  /// Withholds text from now on.
  ///
  /// - Throws: The errors of `register(_:)` for secret bytes.
  public func register(_ secret: String) throws {
    var secret = secret
    try secret.withUTF8 { try register(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Withholds bytes from now on.
  ///
  /// - Throws: The errors of `register(_:)` for secret bytes.
  public func register(_ secret: Data) throws {
    try secret.withUnsafeBytes { try register(bytes: $0) }
  }

  private func register(bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count >= Self.minimumCount else {
      throw AtRestError(
        .invalidArgument,
        "A secret of \(bytes.count) bytes is too short to be distinguished from other text.",
        remedy:
          "Register secrets of \(Self.minimumCount) bytes or more, and keep shorter ones out of "
          + "logs with Sensitive.")
    }
    needles.withLock { $0.insert(bytes) }
  }

  /// Removes one registration of a secret. After the last registration is removed, the secret is
  /// forgotten. Other secrets stay registered, including those with the same beginning.
  public func unregister(_ secret: borrowing SecretBytes) {
    secret.withUnsafeBytes { bytes in needles.withLock { $0.remove(bytes) } }
  }

  /// Removes one registration of text, like `unregister(_:)` for secret bytes.
  public func unregister(_ secret: String) {
    var secret = secret
    secret.withUTF8 { bytes in needles.withLock { $0.remove(UnsafeRawBufferPointer(bytes)) } }
  }

  /// Forgets every secret.
  public func removeAll() { needles.withLock { $0 = Needles() } }

  /// A copy of the search index, so that a search holds no lock.
  var snapshot: Needles { needles.withLock { $0 } }
}
