import AtRestCrypto
import Foundation

/// Values that fit in memory.
extension Compartment {
  /// Stores a value, and replaces the former value of the record, if any.
  ///
  /// ```swift
  /// try account.store(card, in: .card)
  /// ```
  ///
  /// The names of the record, of its kind and of the value's outermost fields must not announce a
  /// password: `password`, `PIN`, `Passwort`.
  ///
  /// - Throws: `AtRestError.Code.neverStored` for passwords; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/passcodeNotSet`` without a passcode, if ``Vault/Options/missingPasscode``
  ///   refuses; ``AtRestError/Code/passphraseRequired`` and ``AtRestError/Code/passphraseNotSet`` if
  ///   the policy requires the passphrase; ``AtRestError/Code/loggedOut``;
  ///   ``AtRestError/Code/invalidArgument`` for a value that its kind does not allow, or that
  ///   cannot be encoded; ``AtRestError/Code/system``. If the call throws, the former value is
  ///   unchanged.
  public func store<Value>(_ value: Value, in record: VaultRecord<Value>) throws {
    try PasswordNames.check(record)
    if let data = value as? Data, data.count > vault.policy.keychainLimit {
      // Locked memory is scarce, and the caller's copy of these bytes is not locked anyway.
      try writer(of: record, size: data.count).writeFile(.data(data))
      return
    }
    try store(ValueCoder.encode(value, record), in: record)
  }

  /// Stores secret bytes, which are copied only to locked memory.
  ///
  /// - Throws: The errors of `store(_:in:)`.
  public func store(secret: borrowing SecretBytes, in record: VaultRecord<Data>) throws {
    try PasswordNames.check(record)
    try store(secret, in: record)
  }

  private func store<Value>(
    _ payload: borrowing SecretBytes, in record: VaultRecord<Value>, replacing id: Data? = nil
  ) throws {
    var writer = try writer(of: record, size: payload.count)
    writer.replaced = id
    try writer.write(payload)
  }

  /// Returns the value of a record.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/expired`` if the value has
  ///   expired, in which case it is removed; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/passphraseRequired``; ``AtRestError/Code/authenticationFailed`` if the
  ///   passphrase that the user entered is wrong; ``AtRestError/Code/loggedOut``;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/invalidArgument`` if the value has another
  ///   type.
  public func value<Value>(in record: VaultRecord<Value>) throws -> Value {
    try reader(record.name).useContents { try ValueCoder.decode(Value.self, $1, record.name) }
  }

  /// Returns the value of a record as secret bytes in locked memory.
  ///
  /// - Throws: The errors of `value(in:)`.
  public func secret(in record: VaultRecord<Data>) throws -> SecretBytes {
    let reader = reader(record.name)
    return try reader.use { stored, payload in
      guard stored.head.store == .file else { return payload.duplicate() }
      var data = try reader.readFile(of: stored, payload)
      return SecretBytes(erasing: &data)
    }
  }

  func identifiedData(in record: VaultRecord<Data>) throws -> (id: Data, data: Data) {
    try reader(record.name).useContents { ($0.head.id, Data($1)) }
  }

  /// Returns the value of a record and the value's identity, which changes each time a value is
  /// stored.
  func identified<Value>(in record: VaultRecord<Value>) throws -> (id: Data, value: Value) {
    try reader(record.name).useContents {
      ($0.head.id, try ValueCoder.decode(Value.self, $1, record.name))
    }
  }

  /// Stores a value in place of the one with the given identity.
  ///
  /// - Throws: ``ValueItem/Replaced`` if the value was replaced or removed meanwhile.
  func store<Value>(_ value: Value, in record: VaultRecord<Value>, replacing id: Data) throws {
    try PasswordNames.check(record)
    try store(ValueCoder.encode(value, record), in: record, replacing: id)
  }

  /// Removes the value with the given identity, but not a value that has replaced it.
  func remove<Value>(_ record: VaultRecord<Value>, identified id: Data) throws {
    _ = try item(record.name).remove { $0?.head.id == id }
  }

  /// Returns the value of a record, or a default if the record has no value or the value has
  /// expired.
  ///
  /// If the value exists but cannot be read, the call throws; the default is not returned.
  ///
  /// - Throws: The errors of `value(in:)`, except *not found* and *expired*.
  public func value<Value>(in record: VaultRecord<Value>, default other: Value) throws -> Value {
    do {
      return try value(in: record)
    } catch let error as AtRestError where error.refusal == .notFound {
      try checkLoggedIn()
      return other
    }
  }

  /// Changes a record's value. No change by another thread or process is lost.
  ///
  /// ```swift
  /// try account.update(.payees, default: []) { $0.append(payee) }
  /// ```
  ///
  /// - Parameters:
  ///   - other: The value passed to the body if the record has no value.
  ///   - body: A closure that changes the value, called again if another thread or process changed
  ///     the value first.
  /// - Returns: The value that is now stored.
  /// - Throws: The error of the body, in which case nothing is changed; otherwise the errors of
  ///   `value(in:default:)` and `store(_:in:)`.
  @discardableResult
  public func update<Value>(
    _ record: VaultRecord<Value>, default other: Value, _ body: (inout Value) throws -> Void
  ) throws -> Value {
    while true {
      var (id, value) = (Data(), other)
      do {
        (id, value) = try identified(in: record)
      } catch let error as AtRestError where error.refusal == .notFound {}
      try body(&value)
      do {
        try store(value, in: record, replacing: id)
        return value
      } catch is ValueItem.Replaced {}
    }
  }

  /// Returns true if a record has a value that has not expired. The check needs no passphrase.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/loggedOut``.
  public func contains<Value>(_ record: VaultRecord<Value>) throws -> Bool {
    do {
      _ = try item(record.name).find()
      return true
    } catch let error as AtRestError where error.refusal == .notFound {
      return false
    }
  }

  /// Removes a record's value and the key that sealed it.
  ///
  /// - Returns: True if there was a value.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func remove<Value>(_ record: VaultRecord<Value>) throws -> Bool { try remove(record.name) }
}
