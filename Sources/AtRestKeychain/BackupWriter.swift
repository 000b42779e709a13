@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Writes the bytes of a backup: `docs/Formats.md`, *Backup*.
struct BackupWriter {
  private let keys: BackupKeybag
  private let write: (Data) throws -> Void
  private var digest = SHA256()
  private var buffer = ByteWriter(capacity: 1 << 17)
  private var index: UInt64 = 0

  init(_ keys: BackupKeybag, _ write: @escaping (Data) throws -> Void) {
    self.keys = keys
    self.write = write
  }

  /// Writes the keybag.
  mutating func begin() throws {
    buffer.counted(keys.encoded)
    try flush()
  }

  /// Adds an item. The name of an item that is bound to this device is added for other devices.
  mutating func add(_ record: [UInt8], _ keyClass: KeyClass, named item: LeftOutItem) throws {
    guard let key = keys.keys[keyClass] else {
      throw AtRestError.invalid(
        "A backup has no class \(keyClass.name).", remedy: "Leave the item out.")
    }
    buffer.integer(keyClass.rawValue)
    buffer.counted(
      try SealingKey(key.bytes.derive(.backupRecord))
        .seal(record, context: BackupRecord.context(keys.id, index, keyClass.rawValue)))
    if !keyClass.isMigratable { try addName(of: item) }
    try finishEntry()
  }

  /// Adds the name of an item that is not in the backup.
  mutating func leaveOut(_ item: LeftOutItem) throws {
    buffer.integer(BackupRecord.leftOut)
    try addName(of: item)
    try finishEntry()
  }

  /// Writes the end, which authenticates all bytes, including records that another device cannot
  /// open.
  mutating func end() throws {
    digest.update(data: buffer.data)
    let context = BackupRecord.context(keys.id, index, 0) + Data(digest.finalize())
    buffer.integer(BackupRecord.end)
    buffer.counted(try SealingKey(keys.endKey.bytes.duplicate()).seal(Data(), context: context))
    try write(buffer.data)
  }

  private mutating func addName(of item: LeftOutItem) throws {
    buffer.counted(
      try SealingKey(keys.nameKey.bytes.duplicate())
        .seal(
          item.encoded, context: BackupRecord.context(keys.id, index, BackupRecord.leftOut)))
  }

  private mutating func finishEntry() throws {
    index += 1
    if buffer.bytes.count > 1 << 16 { try flush() }
  }

  private mutating func flush() throws {
    digest.update(data: buffer.data)
    try write(buffer.data)
    buffer = ByteWriter(capacity: 1 << 17)
  }
}
