import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The asynchronous forms of calls for which a user waits. They have the same names and run off the
/// caller's actor.
extension Compartment {
  /// Stores a value, off the caller's actor.
  public func store<Value>(_ value: Value, in record: VaultRecord<Value>) async throws {
    try await offActor { try store(value, in: record) }
  }

  /// Stores secret bytes, off the caller's actor.
  public func store(secret: borrowing SecretBytes, in record: VaultRecord<Data>) async throws {
    let secret = SecretBox(secret.duplicate())
    try await offActor { try store(secret: secret.bytes, in: record) }
  }

  /// Stores the contents of a file or pipe, off the caller's actor.
  @discardableResult
  public func store(_ source: ByteSource, in record: VaultRecord<Data>) async throws -> UInt64 {
    try await offActor { try store(source, in: record) }
  }

  /// Returns the value of a record, read off the caller's actor.
  public func value<Value>(in record: VaultRecord<Value>) async throws -> Value {
    try await offActor { try value(in: record) }
  }

  /// Returns the value of a record or a default, read off the caller's actor.
  public func value<Value>(in record: VaultRecord<Value>, default other: Value) async throws
    -> Value
  {
    try await offActor { try value(in: record, default: other) }
  }

  /// Changes a record's value, off the caller's actor.
  @discardableResult
  public func update<Value>(
    _ record: VaultRecord<Value>, default other: Value,
    _ body: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    try await offActor { try update(record, default: other, body) }
  }

  /// Returns the value of a record in locked memory, read off the caller's actor.
  public func secret(in record: VaultRecord<Data>) async throws -> SecretBytes {
    try await offActor { try secret(in: record) }
  }

  /// Logs the account out, off the caller's actor.
  public func logOut() async throws { try await offActor { try logOut() } }

  /// Sets the first passphrase, off the caller's actor.
  public func setPassphrase(
    _ passphrase: borrowing SecretBytes, for sensitivity: Sensitivity = .highlySensitive
  ) async throws {
    let passphrase = SecretBox(passphrase.duplicate())
    try await offActor { try setPassphrase(passphrase.bytes, for: sensitivity) }
  }

  /// Changes the passphrase, off the caller's actor.
  public func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes,
    for sensitivity: Sensitivity = .highlySensitive
  ) async throws {
    let (old, new) = (SecretBox(old.duplicate()), SecretBox(new.duplicate()))
    try await offActor {
      try changePassphrase(from: old.bytes, to: new.bytes, for: sensitivity)
    }
  }

  /// Unlocks the compartment with the passphrase, off the caller's actor.
  public func unlock(passphrase: borrowing SecretBytes) async throws {
    let passphrase = SecretBox(passphrase.duplicate())
    try await offActor { try unlock(passphrase: passphrase.bytes) }
  }
}
