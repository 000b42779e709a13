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
/// beginning, and of each part of ``minimumPartCount`` bytes in its first 4,096 bytes. It also keeps
/// filters of a keyed hash of each 8 bytes. It keeps the same of the secret in UTF-16 and, for text,
/// in its Unicode normal forms. All keys are random and in locked memory, and never leave the
/// process. Without the keys, as in a core dump, the rest does not reveal a secret. Anyone who reads
/// the memory of the running process can test guesses of 8 bytes, or of 4 characters by way of
/// UTF-16, one after the other, and so finds the registered text.
///
/// Safe to use from several threads.
public final class SecretRegistry: Sendable {
  /// The shortest secret that can be registered, in bytes. Shorter secrets would also match other
  /// text.
  public static let minimumCount = 8
  /// The size, in bytes, from which a part of a secret is withheld, wherever the secret was cut. A
  /// shorter secret is withheld only as a whole.
  public static let minimumPartCount = 16

  private struct State {
    var index: SecretIndex
    /// Made for the first search after a change.
    var snapshot: SecretSnapshot?
  }

  private let state: Mutex<State>
  private let shortest: Int

  /// Creates a registry without secrets.
  public convenience init() { self.init(shortest: Self.minimumCount) }

  /// Creates a registry that takes shorter secrets too. Its filters rule out less text.
  package init(shortest: Int) {
    self.shortest = min(shortest, Self.minimumCount)
    state = Mutex(State(index: SecretIndex(shortest: self.shortest)))
  }

  /// The number of different secrets that are registered.
  public var count: Int { state.withLock { $0.index.count } }

  /// Withholds a secret from now on, until it is unregistered as often as it was registered.
  ///
  /// - Parameter ignoringCase: True to withhold the secret in any case of its ASCII letters, and in
  ///   lower and upper case of its other letters. This is slower.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret has fewer than ``minimumCount``
  ///   bytes.
  public func register(
    _ secret: borrowing SecretBytes, ignoringCase: Bool = false
  ) throws {
    try secret.withUnsafeBytes { bytes in try register(bytes: bytes, ignoringCase) }
  }

  /// Withholds text from now on.
  ///
  /// - Throws: The errors of `register(_:)` for secret bytes.
  public func register(_ secret: String, ignoringCase: Bool = false) throws {
    var secret = secret
    try secret.withUTF8 { try register(bytes: UnsafeRawBufferPointer($0), ignoringCase) }
  }

  /// Withholds bytes from now on.
  ///
  /// - Throws: The errors of `register(_:)` for secret bytes.
  public func register(_ secret: Data) throws {
    try secret.withUnsafeBytes { try register(bytes: $0, false) }
  }

  private func register(bytes: UnsafeRawBufferPointer, _ ignoringCase: Bool) throws {
    guard bytes.count >= shortest else {
      throw AtRestError(
        .invalidArgument,
        "A secret of \(bytes.count) bytes is too short to be distinguished from other text.",
        remedy:
          "Register secrets of \(shortest) bytes or more, and keep shorter ones out of "
          + "logs with Sensitive.")
    }
    state.withLock {
      $0.snapshot = nil
      $0.index.insert(bytes, ignoringCase: ignoringCase)
    }
  }

  /// Removes one registration of a secret. After the last registration is removed, the secret is
  /// forgotten. Other secrets stay registered, including those with the same beginning.
  ///
  /// - Parameter ignoringCase: The value with which the secret was registered.
  public func unregister(_ secret: borrowing SecretBytes, ignoringCase: Bool = false) {
    secret.withUnsafeBytes { unregister(bytes: $0, ignoringCase) }
  }

  /// Removes one registration of text, like `unregister(_:)` for secret bytes.
  public func unregister(_ secret: String, ignoringCase: Bool = false) {
    var secret = secret
    secret.withUTF8 { unregister(bytes: UnsafeRawBufferPointer($0), ignoringCase) }
  }

  private func unregister(bytes: UnsafeRawBufferPointer, _ ignoringCase: Bool) {
    state.withLock {
      $0.snapshot = nil
      $0.index.remove(bytes, ignoringCase: ignoringCase)
    }
  }

  /// Forgets every secret.
  public func removeAll() { state.withLock { $0 = State(index: SecretIndex(shortest: shortest)) } }

  /// A copy of the search index, so that a search holds no lock.
  var snapshot: SecretSnapshot {
    state.withLock { state in
      if let snapshot = state.snapshot { return snapshot }
      let snapshot = SecretSnapshot(state.index)
      state.snapshot = snapshot
      return snapshot
    }
  }
}
