@_spi(Tools) import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls, which have the same names. They block neither the caller's
/// actor nor a thread of Swift concurrency.
extension KeyServerClient {
  /// Enrols a device, off the caller's actor.
  public static func enrol(
    _ code: String, label: String, key: consuming PrivateKey, transport: any KeyServerTransport,
    offline: OfflineKeys? = nil
  ) async throws -> KeyServerClient {
    let key = Moved(key)
    return try await inBackground {
      try enrol(
        code, label: label, key: key.take(), transport: transport, offline: offline)
    }
  }

  /// Sets the first passphrase, off the caller's actor.
  public func setPassphrase(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) async throws -> SecretBytes {
    let passphrase = Moved(passphrase.duplicate())
    return try await background { try $0.setPassphrase(passphrase.take(), kdf: kdf) }
  }

  /// Replaces the passphrase, off the caller's actor.
  ///
  /// - Parameter prepare: Gets the keys that the former and the new passphrase give, on another
  ///   thread, before the server replaces the passphrase.
  public func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF = .scrypt(),
    _ prepare:
      @escaping @Sendable (
        _ former: borrowing SecretBytes, _ present: borrowing SecretBytes
      ) throws -> Void
  ) async throws {
    let (old, new) = (Moved(old.duplicate()), Moved(new.duplicate()))
    try await background {
      try $0.changePassphrase(from: old.take(), to: new.take(), kdf: kdf, prepare)
    }
  }

  /// Returns the key that a passphrase gives, off the caller's actor.
  public func harden(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) async throws -> SecretBytes {
    let passphrase = Moved(passphrase.duplicate())
    return try await background { try $0.harden(passphrase.take(), kdf: kdf) }
  }

  /// Returns a share of this device, off the caller's actor.
  public func share(
    _ name: String, version: UInt32 = 0, creating: Bool = false
  ) async throws -> SecretBytes {
    try await background { try $0.share(name, version: version, creating: creating) }
  }

  /// Wraps a key, off the caller's actor.
  public func wrap(
    _ key: borrowing SecretBytes, under name: String, context: Data
  ) async throws -> Data {
    let key = Moved(key.duplicate())
    return try await background { try $0.wrap(key.take(), under: name, context: context) }
  }

  /// Unwraps a key, off the caller's actor.
  public func unwrap(
    _ wrapped: Data, under name: String, context: Data
  ) async throws -> SecretBytes {
    try await background { try $0.unwrap(wrapped, under: name, context: context) }
  }
}

/// A value on its way to one other thread.
private final class Moved<Value: ~Copyable>: @unchecked Sendable {
  // One thread writes the value before another one takes it.
  private var value: Value?
  init(_ value: consuming Value) { self.value = consume value }
  func take() -> Value { value.take()! }
}
