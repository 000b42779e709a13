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

  /// Ends the draft of a file that was found authentic at its place under the record of its salt: removes the
  /// record of the file that it replaced.
  mutating func settle(_ salt: Data, at place: Data) {
    if let index = all.firstIndex(where: { $0.salt == salt }),
      let draft = all[index].draft, draft.place == place
    {
      all[index].draft = nil
      isChanged = true
      if let former = draft.former, former != salt { remove(former) }
    }
  }

  /// True if ``settle(_:at:)`` would change something.
  func isUnsettled(_ salt: Data, at place: Data) -> Bool { self[salt]?.draft?.place == place }

  /// The records of drafts that may take the place of a file, or of none. One of them may have had it already, and
  /// the file was put back: a record is removed only with its draft.
  func drafts(replacing salt: Data?, at place: Data) -> [DatabaseKeyRecord] {
    all.filter { $0.salt != salt && $0.draft == .init(former: salt, place: place) }
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
    let noSalt = Data(count: DatabaseFormat.saltSize)
    let none = noSalt + Data(count: DatabaseKeyRecord.placeSize)
    for record in all {
      writer.fixed(record.salt)
      writer.fixed(record.draft.map { ($0.former ?? noSalt) + $0.place } ?? none)
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
      let draft = DatabaseKeyRecord.Draft(
        former: former.contains { $0 != 0 } ? former : nil, place: place)
      all.append(
        DatabaseKeyRecord(
          salt: salt, key: key, name: name, draft: place.contains { $0 != 0 } ? draft : nil))
    }
    try reader.finish()
  }
}
