@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation

/// A value in the form in which its keychain item holds it: a head that describes the value, and
/// the value itself or the key of its file. See `docs/Formats.md`, *Values of the Vault*.
package struct StoredValue: Sendable {
  /// The part that can be read without the value's additional key.
  struct Head: Sendable, Hashable {
    /// A random identity, new for each stored value, which is also the name of the value's file or
    /// database.
    var id: Data
    var store: StorageDecision.Store
    var key: StorageDecision.Key
    var sensitivity: Sensitivity
    var accessibility: Accessibility
    var subject: DataSubject
    var people: UInt32
    var kind: String
    var stored: Date
    var expires: Date?
    var idle: UInt64
    /// The size of the value. That of a database is 0 until the database is made, and then the size
    /// that it had at first.
    var size: UInt64
    /// The identity of the key derived from the passphrase, or ``noKeyID`` if the value has no such
    /// key.
    var keyID: Data

    static let noKeyID = Data(count: 8)

    func sized(_ size: UInt64) -> Head {
      var head = self
      head.size = size
      return head
    }
  }

  let head: Head
  var lastUse: Date
  var usesLeft: UInt32
  /// The payload, or salt ‖ sealed payload if there is an additional key.
  let body: SecretBox
  /// The name of the value's file, or nil if the value is an item of the keychain.
  var file: Data? { head.store != .keychain && !isSpent ? head.id : nil }

  static let unlimited = UInt32.max
  static let saltCount = 16
  /// The longest name of a kind, in bytes.
  static let kindLimit = 1_024
  private static let version: UInt8 = 1
  private static let stores: [StorageDecision.Store] = [.keychain, .file, .database]
  private static let keys: [StorageDecision.Key] = [.device, .composite, .passphrase]

  // MARK: The body

  /// Seals a payload under a key, or returns the payload unchanged if there is no key.
  static func seal(
    _ payload: borrowing SecretBytes, _ head: Head, in place: ValuePlace, under key: SecretBox?
  ) throws -> SecretBox {
    guard let key else { return SecretBox(payload.duplicate()) }
    let salt = RandomBytes.data(count: saltCount)
    let box = try SealingKey(key.bytes.derive(.vaultValue, salt: salt))
      .seal(payload, context: context(head, place))
    return SecretBox(SecretBytes(salt + box))
  }

  /// - Throws: ``AtRestError/Code/damaged``.
  func open(in place: ValuePlace, under key: SecretBox?) throws -> SecretBox {
    guard let key else { return body }
    guard body.bytes.count >= Self.saltCount + SealingKey.overhead else {
      throw AtRestError.damaged("\(place.words) is cut off.")
    }
    let (salt, box) = body.bytes.withUnsafeBytes {
      (Data($0.prefix(Self.saltCount)), Data($0.dropFirst(Self.saltCount)))
    }
    return SecretBox(
      try SealingKey(key.bytes.derive(.vaultValue, salt: salt))
        .open(box, context: Self.context(head, place), name: place.words))
  }

  private static func context(_ head: Head, _ place: ValuePlace) -> Data {
    var writer = ByteWriter()
    writer.fixed(place.compartment)
    writer.counted(utf8: place.name)
    encode(head, into: &writer)
    return writer.data
  }

  // MARK: Bytes

  package var encoded: SecretBytes {
    var writer = ByteWriter(capacity: 160)
    Self.encode(head, into: &writer)
    writer.integer(Self.milliseconds(lastUse))
    writer.integer(usesLeft)
    let head = writer.bytes
    return SecretBytes(count: head.count + body.bytes.count) { bytes in
      bytes.copyBytes(from: head)
      body.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[head.count...]).copyMemory(from: $0)
      }
    }
  }

  private static func encode(_ head: Head, into writer: inout ByteWriter) {
    writer.integer(version)
    writer.integer(UInt8(stores.firstIndex(of: head.store)!))
    writer.integer(UInt8(keys.firstIndex(of: head.key)!))
    writer.integer(UInt8(head.sensitivity.rawValue))
    writer.integer(head.accessibility.keyClass.rawValue)
    writer.integer(UInt8(head.subject == .owner ? 0 : 1))
    writer.integer(head.people)
    writer.counted(utf8: head.kind)
    writer.fixed(head.id)
    writer.integer(milliseconds(head.stored))
    writer.integer(head.expires.map(milliseconds) ?? .max)
    writer.integer(head.idle)
    writer.integer(head.size)
    writer.fixed(head.keyID)
  }

  init(head: Head, lastUse: Date, usesLeft: UInt32, body: SecretBox) {
    self.head = head
    self.lastUse = lastUse
    self.usesLeft = usesLeft
    self.body = body
  }

  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: UnsafeRawBufferPointer, name: String) throws {
    var reader = ByteReader(bytes, name: name)
    let version = try reader.integer(UInt8.self)
    guard version == Self.version else {
      throw AtRestError.unsupported(name, version: version, known: Self.version)
    }
    let (store, key) = (Int(try reader.integer(UInt8.self)), Int(try reader.integer(UInt8.self)))
    guard store < Self.stores.count, key < Self.keys.count,
      let sensitivity = Sensitivity(rawValue: Int(try reader.integer(UInt8.self)))
    else { throw AtRestError.damaged("The head of \(name) is malformed.") }
    let keyClass = try reader.integer(UInt8.self)
    guard
      let accessibility = Accessibility.allCases.first(where: { $0.keyClass.rawValue == keyClass })
    else { throw AtRestError.damaged("The head of \(name) names the unknown class \(keyClass).") }
    let subject = try reader.integer(UInt8.self)
    let people = try reader.integer(UInt32.self)
    guard subject <= 1,
      let kind = String(validating: try reader.counted(limit: Self.kindLimit), as: UTF8.self)
    else { throw AtRestError.damaged("The head of \(name) is malformed.") }
    let id = Data(try reader.fixed(16))
    let stored = try Self.date(&reader, name)
    let expires = try Self.date(&reader, name)
    head = Head(
      id: id, store: Self.stores[store], key: Self.keys[key], sensitivity: sensitivity,
      accessibility: accessibility, subject: subject == 0 ? .owner : .others, people: people,
      kind: kind, stored: stored, expires: expires == .distantFuture ? nil : expires,
      idle: try reader.integer(UInt64.self), size: try reader.integer(UInt64.self),
      keyID: Data(try reader.fixed(8)))
    lastUse = try Self.date(&reader, name)
    usesLeft = try reader.integer(UInt32.self)
    body = SecretBox(SecretBytes(copying: try reader.fixed(reader.remaining)))
  }

  /// `Date.distantFuture` (the year 4001) in milliseconds since 1970. This date and later dates
  /// mean "never".
  private static let maximumDate: Int64 = 64_092_211_200_000

  private static func milliseconds(_ date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds < Double(maximumDate) else { return .max }
    return Int64(max(0, milliseconds))
  }

  private static func date(_ reader: inout ByteReader, _ name: String) throws -> Date {
    let milliseconds = try reader.integer(Int64.self)
    if milliseconds == .max { return .distantFuture }
    guard (0..<maximumDate).contains(milliseconds) else {
      throw AtRestError.damaged("A date of \(name) is invalid, before offset \(reader.offset).")
    }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  // MARK: Retention

  /// The time for which a spent value is remembered, in seconds.
  private static let memory: TimeInterval = 86_400

  /// True if the value was read as often as allowed. Only its head is left, so that a further read
  /// is told *expired* and not *not found*.
  var isSpent: Bool { usesLeft == 0 }

  /// Returns what is left of the value after its last use.
  func spent(at now: Date) -> StoredValue {
    StoredValue(head: head, lastUse: now, usesLeft: 0, body: SecretBox(SecretBytes(Data())))
  }

  /// Returns true if a spent value need not be remembered any longer.
  func isForgettable(at now: Date) -> Bool {
    isSpent && abs(now.timeIntervalSince(lastUse)) >= Self.memory
  }

  /// A Boolean value that is true if the value may expire as time passes.
  var goesByTheClock: Bool { head.expires != nil || head.idle > 0 }

  /// Returns true if the value has expired.
  func hasExpired(at now: Date) -> Bool {
    if let expires = head.expires, now >= expires { return true }
    if head.idle > 0, now >= lastUse.addingTimeInterval(Double(head.idle)) { return true }
    return isSpent
  }
}

extension Purpose {
  fileprivate static let vaultValue = Purpose("atrest.vault.value.v1")
}
