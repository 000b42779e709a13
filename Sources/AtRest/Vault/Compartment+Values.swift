import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import CAtRestSystem
import Foundation

/// Values in memory.
extension Compartment {
  /// Stores a value, in place of the one that the record had, if any.
  ///
  /// ```swift
  /// try account.store(card, in: .card)
  /// ```
  ///
  /// - Throws: `AtRestError.Code.neverStored` for passwords; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/passphraseRequired`` and ``AtRestError/Code/passphraseNotSet`` where the
  ///   policy wants the passphrase; ``AtRestError/Code/loggedOut``;
  ///   ``AtRestError/Code/invalidArgument`` for a value that its kind cannot have, or that cannot be
  ///   encoded; ``AtRestError/Code/system``. The value before stands then as it was.
  public func store<Value>(_ value: Value, in record: Record<Value>) throws {
    if let data = value as? Data, data.count > vault.policy.keychainLimit {
      // Locked memory is scarce, and these bytes are in the caller's already.
      return try storeLarge(data, record.name, record.classification, record.retention)
    }
    try store(
      ValueCoder.encode(value, record.name), record.name, record.classification, record.retention)
  }

  /// Stores secret bytes, which are copied to locked memory alone.
  ///
  /// - Throws: As `store(_:in:)`.
  public func store(secret: borrowing SecretBytes, in record: Record<Data>) throws {
    try store(secret, record.name, record.classification, record.retention)
  }

  /// The value of a record.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/expired``, and the value is gone;
  ///   ``AtRestError/Code/locked``; ``AtRestError/Code/passphraseRequired``;
  ///   ``AtRestError/Code/authenticationFailed`` where the passphrase that was asked for is wrong;
  ///   ``AtRestError/Code/loggedOut``; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/invalidArgument`` where the value is none of this type.
  public func value<Value>(in record: Record<Value>) throws -> Value {
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) { bytes in
        try ValueCoder.decode(Value.self, bytes, record.name)
      }
    }
  }

  /// The value of a record as secret bytes in locked memory.
  ///
  /// - Throws: As `value(in:)`.
  public func secret(in record: Record<Data>) throws -> SecretBytes {
    try use(record.name) { stored, payload in
      guard stored.head.store == .file else { return payload.duplicate() }
      var data = try readFile(stored, payload)
      return SecretBytes(erasing: &data)
    }
  }

  func identifiedData(in record: Record<Data>) throws -> (id: Data, data: Data) {
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) { (stored.head.id, Data($0)) }
    }
  }

  /// The value of a record with its identity, which is another after each time that it is stored.
  func identified<Value>(in record: Record<Value>) throws -> (id: Data, value: Value) {
    try use(record.name) { stored, payload in
      try withContents(of: stored, payload) {
        (stored.head.id, try ValueCoder.decode(Value.self, $0, record.name))
      }
    }
  }

  /// Stores a value in place of the one with an identity.
  ///
  /// - Throws: ``Replaced`` where it is another by now, or none.
  func store<Value>(_ value: Value, in record: Record<Value>, replacing id: Data) throws {
    try store(
      ValueCoder.encode(value, record.name), record.name, record.classification,
      record.retention, replacing: id)
  }

  /// Removes the value with an identity, and no other that is there by now.
  func remove<Value>(_ record: Record<Value>, identified id: Data) throws {
    _ = try remove(record.name) { $0?.head.id == id }
  }

  /// The value of a record, or another one where there is none or it has expired.
  ///
  /// A value that is there and cannot be read is an error, and never the other one.
  ///
  /// - Throws: As `value(in:)`, but for *not found* and *expired*.
  public func value<Value>(in record: Record<Value>, default other: Value) throws -> Value {
    do {
      return try value(in: record)
    } catch let error as AtRestError where error.refusal == .notFound {
      try checkLoggedIn(vault.registry())
      return other
    }
  }

  /// Changes a record's value, so that no change of another thread or process is lost.
  ///
  /// ```swift
  /// try account.update(.payees, default: []) { $0.append(payee) }
  /// ```
  ///
  /// - Parameters:
  ///   - other: What is changed where there is no value.
  ///   - body: May be called again, where somebody else was faster.
  /// - Returns: The value as it is stored now.
  /// - Throws: What the body throws, and nothing is changed then; otherwise as `value(in:default:)` and
  ///   `store(_:in:)`.
  @discardableResult
  public func update<Value>(
    _ record: Record<Value>, default other: Value, _ body: (inout Value) throws -> Void
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

  /// Whether a record has a value that has not expired. Needs no passphrase.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/loggedOut``.
  public func contains<Value>(_ record: Record<Value>) throws -> Bool {
    do {
      _ = try find(record.name)
      return true
    } catch let error as AtRestError where error.refusal == .notFound {
      return false
    }
  }

  /// Removes a record's value, and with it the key that it was under.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func remove<Value>(_ record: Record<Value>) throws -> Bool { try remove(record.name) }

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
    /// The file in its place, which no refusal of its contents has to explain.
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
      // Gone since; else it is the destination's folder that is missing.
      _ = try place()
      throw error
    } catch let error as AtRestError where [.notProtected, .notPermitted].contains(error.code) {
      throw AtRestError(
        .damaged, "The file of the \(stored.head.kind) is another: \(file.path).",
        remedy: "Restore it from a backup; it was not changed by this refusal.", cause: error)
    }
  }
}

/// How values become bytes.
enum ValueCoder {
  static func encode<Value: Codable>(_ value: Value, _ name: String) throws -> SecretBytes {
    switch value {
    case let data as Data: return SecretBytes(data)
    case let string as String: return SecretBytes(utf8: string)
    default:
      do {
        var json = try JSONEncoder().encode(value)
        return SecretBytes(erasing: &json)
      } catch {
        throw AtRestError(
          .invalidArgument, "The value for \"\(name)\" cannot be encoded as JSON.",
          remedy: "See the cause; numbers have to be finite.", cause: withheld(error))
      }
    }
  }

  static func decode<Value: Codable>(
    _: Value.Type, _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws -> Value {
    func wrongType(_ cause: (any Error)?) -> AtRestError {
      AtRestError(
        .invalidArgument, "The value \"\(name)\" is no \(Value.self).",
        remedy: "Read it with the type that it was stored with.", cause: cause)
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
  /// Overwrites the bytes, where this is the only reference to them.
  mutating func erase() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
    }
    self = Data()
  }
}
