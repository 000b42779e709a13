import AtRestCrypto
import Foundation

/// The records of an item or a key file: one for each database file that it opens.
struct DatabaseKeyRecords: Sendable {
  /// The greatest number of records.
  static let limit = 1_000
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  private static let greatestName = 4_096

  private(set) var all: [DatabaseKeyRecord] = []
  /// True if a record was added, changed or removed.
  private(set) var isChanged = false

  init() {}

  subscript(salt: Data) -> DatabaseKeyRecord? { all.first { $0.salt == salt } }

  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are too many records.
  mutating func add(_ record: DatabaseKeyRecord) throws {
    guard all.count < Self.limit else {
      throw AtRestError.invalid(
        "The item or key file has the keys of \(all.count) databases, and no room for another one.",
        remedy: "Use another one, or remove the keys of databases that no longer exist: see "
          + "`EncryptedDatabase.keys(of:)` and `atrest database keys`.")
    }
    all.append(record)
    isChanged = true
  }

  mutating func remove(_ salt: Data) { removeAll { $0.salt == salt } }

  /// Ends the replacements of a file that was found authentic under the record of its salt: removes the
  /// record before it.
  mutating func settle(_ salt: Data, at place: Data) {
    if let index = all.firstIndex(where: { $0.salt == salt }),
      let former = all[index].predecessor, former.place == place
    {
      all[index].predecessor = nil
      isChanged = true
      if former.salt != salt { remove(former.salt) }
    }
  }

  /// True if ``settle(_:at:)`` would change something.
  func isUnsettled(_ salt: Data, at place: Data) -> Bool { self[salt]?.predecessor?.place == place }

  /// The records of copies that may take the place of a file. One of them may have had it already, and the file was
  /// put back: a record is removed only with its copy.
  func successors(of salt: Data, at place: Data) -> [DatabaseKeyRecord] {
    all.filter { $0.salt != salt && $0.predecessor == .init(salt: salt, place: place) }
  }

  private mutating func removeAll(where condition: (DatabaseKeyRecord) -> Bool) {
    let count = all.count
    all.removeAll(where: condition)
    if all.count != count { isChanged = true }
  }

  // MARK: Layout

  /// The bytes to keep secret.
  var encoded: SecretBytes {
    var writer = ByteWriter(capacity: 16 + 128 * all.count)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(UInt16(all.count))
    let none = Data(count: DatabaseFormat.saltSize + DatabaseKeyRecord.placeSize)
    for record in all {
      writer.fixed(record.salt)
      writer.fixed(record.predecessor.map { $0.salt + $0.place } ?? none)
      record.key.bytes.withUnsafeBytes { writer.fixed($0) }
      writer.counted(utf8: record.name)
    }
    defer { writer.erase() }
    return SecretBytes(writer.bytes)
  }

  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  init(decoding bytes: borrowing SecretBytes, of owner: String) throws {
    self = try bytes.withUnsafeBytes { try Self(reading: ByteReader($0, name: owner), of: owner) }
  }

  private init(reading reader: consuming ByteReader, of owner: String) throws {
    guard reader.remaining >= 8, try reader.fixed(8).elementsEqual(Self.magic) else {
      throw AtRestError.damaged("\(owner) has no keys of databases.")
    }
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw AtRestError.unsupported(owner, version: version, known: Self.version)
    }
    let count = Int(try reader.integer(UInt16.self))
    guard count <= Self.limit else {
      throw AtRestError.damaged("\(owner) claims to have the keys of \(count) databases.")
    }
    for _ in 0..<count {
      let salt = Data(try reader.fixed(DatabaseFormat.saltSize))
      let former = Data(try reader.fixed(DatabaseFormat.saltSize))
      let place = Data(try reader.fixed(DatabaseKeyRecord.placeSize))
      let key = SecretBox(SecretBytes(copying: try reader.fixed(DatabaseFormat.keySize)))
      let name = String(decoding: try reader.counted(limit: Self.greatestName), as: UTF8.self)
      let isNone = !(former + place).contains { $0 != 0 }
      all.append(
        DatabaseKeyRecord(
          salt: salt, key: key, name: name,
          predecessor: isNone ? nil : .init(salt: former, place: place)))
    }
    try reader.finish()
  }
}
