import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import CAtRestSystem
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
      return try storeLarge(data, record.name, record.classification, record.retention)
    }
    try store(
      ValueCoder.encode(value, record), record.name, record.classification, record.retention)
  }

  /// Stores secret bytes, which are copied only to locked memory.
  ///
  /// - Throws: The errors of `store(_:in:)`.
  public func store(secret: borrowing SecretBytes, in record: VaultRecord<Data>) throws {
    try PasswordNames.check(record)
    try store(secret, record.name, record.classification, record.retention)
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
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) { bytes in
        try ValueCoder.decode(Value.self, bytes, record.name)
      }
    }
  }

  /// Returns the value of a record as secret bytes in locked memory.
  ///
  /// - Throws: The errors of `value(in:)`.
  public func secret(in record: VaultRecord<Data>) throws -> SecretBytes {
    try use(record.name) { stored, payload in
      guard stored.head.store == .file else { return payload.duplicate() }
      var data = try readFile(stored, payload)
      return SecretBytes(erasing: &data)
    }
  }

  func identifiedData(in record: VaultRecord<Data>) throws -> (id: Data, data: Data) {
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) { (stored.head.id, Data($0)) }
    }
  }

  /// Returns the value of a record and the value's identity, which changes each time a value is
  /// stored.
  func identified<Value>(in record: VaultRecord<Value>) throws -> (id: Data, value: Value) {
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) {
        (stored.head.id, try ValueCoder.decode(Value.self, $0, record.name))
      }
    }
  }

  /// Stores a value in place of the one with the given identity.
  ///
  /// - Throws: ``Replaced`` if the value was replaced or removed meanwhile.
  func store<Value>(_ value: Value, in record: VaultRecord<Value>, replacing id: Data) throws {
    try PasswordNames.check(record)
    try store(
      ValueCoder.encode(value, record), record.name, record.classification,
      record.retention, replacing: id)
  }

  /// Removes the value with the given identity, but not a value that has replaced it.
  func remove<Value>(_ record: VaultRecord<Value>, identified id: Data) throws {
    _ = try remove(record.name) { $0?.head.id == id }
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
      try checkLoggedIn(vault.registry())
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
      } catch is Replaced {}
    }
  }

  /// Returns true if a record has a value that has not expired. The check needs no passphrase.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/loggedOut``.
  public func contains<Value>(_ record: VaultRecord<Value>) throws -> Bool {
    do {
      _ = try find(record.name)
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

  private func withContents<Result>(
    of stored: StoredValue, _ payload: borrowing SecretBytes,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard stored.head.store == .file else { return try payload.withUnsafeBytes(body) }
    var data = try readFile(stored, payload)
    defer { data.erase() }
    return try data.withUnsafeBytes(body)
  }

  func readFile(_ stored: StoredValue, _ key: borrowing SecretBytes) throws -> Data {
    try openFile(stored) {
      try files(SecretBox(key.duplicate()), stored.head.accessibility).read($0)
    }
  }

  func openFile<Result>(
    _ stored: StoredValue, _ body: (FolderEntry) throws -> Result
  ) throws -> Result {
    /// Returns the entry of the file, after checking that it exists and is a private file.
    func place() throws -> FolderEntry {
      let entry = try vault.files.file(stored.head.id, of: id)
      guard let entry, try PrivateFile.check(entry.name, in: entry.folder) != nil else {
        throw MissingFile(
          error: .damaged(
            "The file of the \(stored.head.kind) is missing: "
              + "\(entry?.path ?? stored.head.id.hexadecimal)."))
      }
      return entry
    }
    let file = try place()
    do {
      return try body(file)
    } catch let error as AtRestError where error.code == .notFound {
      // `place()` throws if the file is gone; otherwise, the destination's folder is missing.
      _ = try place()
      throw error
    } catch let error as AtRestError
      where [.notProtected, .notPermitted].contains(error.code) && !error.isOfSystem
    {
      throw AtRestError(
        .damaged, "The file of the \(stored.head.kind) is not the one stored: \(file.path).",
        remedy: "Restore it from a backup. Nothing was modified.", cause: error)
    }
  }
}

/// Encodes values as bytes, and decodes them.
enum ValueCoder {
  static func encode<Value>(_ value: Value, _ record: VaultRecord<Value>) throws -> SecretBytes {
    switch value {
    case let data as Data: return SecretBytes(data)
    case let string as String: return SecretBytes(utf8: string)
    default:
      do {
        var json = try JSONEncoder().encode(value)
        defer { json.erase() }
        if record.isPassword != false {
          try PasswordNames.check(fieldsOf: value, json: json, record: record.name)
        }
        return SecretBytes(erasing: &json)
      } catch let error as AtRestError {
        throw error
      } catch {
        throw AtRestError(
          .invalidArgument, "The value for \"\(record.name)\" cannot be encoded as JSON.",
          remedy: "See the cause. Numbers must be finite.", cause: withheld(error))
      }
    }
  }

  static func decode<Value: Codable>(
    _: Value.Type, _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws -> Value {
    func wrongType(_ cause: (any Error)?) -> AtRestError {
      AtRestError(
        .invalidArgument, "The value \"\(name)\" cannot be read as \(Value.self).",
        remedy: "Read it as the type that was stored.", cause: cause)
    }
    if Value.self == Data.self { return Data(bytes) as! Value }
    if Value.self == String.self {
      guard let string = String(validating: bytes, as: UTF8.self) else { throw wrongType(nil) }
      return string as! Value
    }
    var json = Data(bytes)
    defer { json.erase() }
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch let error as DecodingError {
      throw wrongType(withheld(error))
    }
  }
}

extension Data {
  /// Overwrites the bytes if no other `Data` shares them, and empties this one.
  mutating func erase() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
    }
    self = Data()
  }
}
