import AtRestCrypto
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
      switch conflicts {
      case .refuse: throw error
      case .keep: return false
      case .replace:
        if let old = try session.index.entry(hash.key) { try delete(old) }
      }
    }
    _ = try insert(
      metadata, payload: record.payload, hash: hash, itemClass: record.itemClass,
      accessibility: accessibility)
    return true
  }
}

extension Purpose {
  static let backupRecord = Purpose("atrest.backup-record.v1")
}
