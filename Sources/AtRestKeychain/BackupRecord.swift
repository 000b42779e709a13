@_spi(Tools) import AtRestCrypto
import Foundation

/// An item in a backup.
struct BackupRecord: ~Copyable {
  /// The number in place of a class at the end of a backup.
  static let end: UInt8 = 0
  /// The number in place of a class for an item that is not in the backup.
  static let leftOut: UInt8 = 255
  /// The maximum size of a box in bytes.
  static let countLimit = 1 << 26

  let itemClass: ItemClass
  let metadata: ItemMetadata
  let payload: SecretBytes?

  init(_ record: borrowing SecretBytes) throws {
    var itemClass = ItemClass.genericPassword
    var metadata: ItemMetadata?
    var payload: SecretBytes?
    try record.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "An item of the backup")
      itemClass = try ItemClass(number: reader.integer())
      metadata = try ItemMetadata(decoding: Data(try reader.counted(limit: 1 << 25)))
      if try reader.integer(UInt8.self) == 1 {
        payload = SecretBytes(copying: try reader.counted(limit: 1 << 26))
      }
      try reader.finish()
    }
    self.itemClass = itemClass
    self.metadata = metadata!
    self.payload = payload.take()
  }

  /// Returns the context that a record authenticates: the backup's identifier, the record's
  /// position and its protection class.
  static func context(_ id: Data, _ index: UInt64, _ keyClass: UInt8) -> Data {
    var writer = ByteWriter(capacity: 64)
    writer.fixed(Data("atrest.backup-record.v1".utf8))
    writer.fixed(id)
    writer.integer(index)
    writer.integer(keyClass)
    return writer.data
  }
}

extension ItemWriter {
  /// Writes an item of a backup.
  ///
  /// - Returns: False if the item existed and was kept.
  func restore(
    _ record: consuming BackupRecord, accessibility: Accessibility, conflicts: RestoreConflict
  ) throws -> Bool {
    let metadata = record.metadata
    let key = metadata.primaryKey(record.itemClass)
    let hash = try session.hashes.hash(key, in: metadata.group)
    do {
      try makeRoom(for: hash, key: key)
    } catch let error as AtRestError where error.code == .duplicate {
      guard conflicts != .refuse else { throw error }
      let old = try session.index.entry(hash.key)
      do {
        if let old, try addDatabaseKeys(of: record, to: old, named: key.words) {
          return conflicts == .replace
        }
      } catch AtRestError.Code.duplicate where conflicts == .keep {}
      if conflicts == .keep { return false }
      if let old { try delete(old) }
    }
    _ = try insert(
      metadata, payload: record.payload, hash: hash, itemClass: record.itemClass,
      accessibility: accessibility)
    return true
  }
}

extension ItemWriter {
  /// Adds the keys of databases in a backup's item to an existing item, which keeps its own.
  ///
  /// - Returns: False if the existing item has no keys of databases.
  private func addDatabaseKeys(
    of record: borrowing BackupRecord, to old: IndexEntry, named name: String
  ) throws -> Bool {
    let row = try finder.row(of: old)
    let (_, accessibility) = try row.info.parts()
    guard finder.boxes.classKeys.isAvailable(accessibility),
      let present = try finder.boxes.openPayload(of: row)
    else { return false }
    let count = present.count
    let merged =
      switch record.payload {
      case .some(let payload):
        try DatabaseKeyMerge.merged(present, adding: payload, name: "The item \(name)")
      case .none: SecretBox?.none
      }
    guard let merged else { return false }
    if merged.bytes.count != count {
      try merged.bytes.withUnsafeBytes {
        try update(finder.reference(to: row.entry), change: ItemChange(), secret: $0)
      }
    }
    return true
  }
}

extension Purpose {
  static let backupRecord = Purpose("atrest.backup-record.v1")
}
