@_spi(Tools) import AtRestCrypto
import Foundation

/// The records of an item or a key file: one for each database file that it opens.
struct DatabaseKeyRecords: Sendable {
  /// The greatest number of records to which a new database adds one.
  static let limit = 1_000
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  private static let greatestName = 4_096

  private(set) var all: [DatabaseKeyRecord] = []
  /// True if a record was added, changed or removed.
  private(set) var isChanged = false

  init() {}

  subscript(salt: Data) -> DatabaseKeyRecord? { all.first { $0.salt == salt } }

  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are too many records. The record of a replacement usually
  ///   takes the place of another one, so there is room for one more.
  mutating func add(_ record: DatabaseKeyRecord) throws {
    guard all.count < Self.limit + (record.isReplacement ? 1 : 0) else {
      throw AtRestError.invalid(
        "The item or key file has the keys of \(all.count) databases, and no room for another one.",
        remedy: "Use another one, or remove the keys of databases that no longer exist: see "
          + "atrest database keys.")
    }
    all.append(record)
    isChanged = true
  }

  mutating func remove(_ salt: Data) { removeAll { $0.salt == salt } }

  /// Removes the record of a file that another one has replaced at a place. If it was made for another place, the
  /// file that was replaced may have been a copy, and its original needs the record.
  mutating func removeReplaced(_ salt: Data, at place: Data) {
    removeAll { $0.salt == salt && $0.place == place }
  }

  /// Ends the draft of a file that was found authentic at its place under the record of its salt: removes the
  /// record of the file that it replaced.
  mutating func settle(_ salt: Data, at place: Data) {
    guard let index = all.firstIndex(where: { $0.salt == salt && $0.place == place }),
      let former = all[index].former
    else { return }
    all[index].former = nil
    isChanged = true
    if former != salt { removeReplaced(former, at: place) }
  }

  /// True if ``settle(_:at:)`` would change something.
  func isUnsettled(_ salt: Data, at place: Data) -> Bool {
    self[salt].map { $0.place == place && $0.former != nil } ?? false
  }

  /// The records of drafts that may take the place of a file, or of none. One of them may have had it already, and
  /// the file was put back: a record is removed only with its draft.
  func drafts(replacing salt: Data?, at place: Data) -> [DatabaseKeyRecord] {
    all.filter { $0.salt != salt && $0.place == place && $0.former == salt ?? $0.salt }
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
    for record in all {
      writer.fixed(record.salt)
      writer.fixed(record.former ?? Data(count: DatabaseFormat.saltSize))
      writer.fixed(record.place)
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
    for _ in 0..<count {
      let salt = Data(try reader.fixed(DatabaseFormat.saltSize))
      let former = Data(try reader.fixed(DatabaseFormat.saltSize))
      let place = Data(try reader.fixed(DatabaseKeyRecord.placeSize))
      let key = SecretBox(SecretBytes(copying: try reader.fixed(DatabaseFormat.keySize)))
      let name = String(decoding: try reader.counted(limit: Self.greatestName), as: UTF8.self)
      all.append(
        DatabaseKeyRecord(
          salt: salt, key: key, name: name, place: place,
          former: former.contains { $0 != 0 } ? former : nil))
    }
    try reader.finish()
  }
}
