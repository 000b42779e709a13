@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Reads the bytes of a backup, after all of them were authenticated.
struct BackupReader {
  enum Entry: ~Copyable {
    case item(BackupRecord, KeyClass)
    case leftOut(LeftOutItem)
  }

  let keys: BackupKeybag
  private let bytes: UnsafeRawBufferPointer
  private let start: Int
  private let name: String

  /// Reads the keybag, and authenticates the whole backup.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a byte was changed, or bytes are missing or left over;
  ///   the errors of the closure.
  init(
    _ bytes: UnsafeRawBufferPointer, name: String,
    keybag: (UnsafeRawBufferPointer) throws -> BackupKeybag
  ) throws {
    guard BackupKeybag.begins(bytes) else {
      throw AtRestError(
        .damaged, "\(name) is not a backup.", remedy: "Pass a file that atrest backup wrote.")
    }
    var reader = ByteReader(bytes, name: name)
    keys = try keybag(reader.counted(limit: BackupKeybag.countLimit))
    start = reader.offset
    self.bytes = bytes
    self.name = name
    try checkEnd()
  }

  /// The stores whose files the backup's class keys open.
  var formerStores: [StoreIdentity] {
    var stores: [StoreIdentity] = []
    for set in keys.fileKeys where !stores.contains(set.store) { stores.append(set.store) }
    return stores
  }

  /// Calls a closure with each item that can be opened on this device, and the name of each other item.
  func forEach(_ body: (consuming Entry) throws -> Void) throws {
    var reader = try records()
    var index: UInt64 = 0
    while true {
      let number = try reader.integer(UInt8.self)
      guard number != BackupRecord.end else { return }
      defer { index += 1 }
      guard number != BackupRecord.leftOut else {
        try body(.leftOut(leftOut(&reader, index)))
        continue
      }
      guard let keyClass = KeyClass(rawValue: number) else {
        throw AtRestError.damaged("\(name) has an unknown class \(number).")
      }
      let box = Data(try reader.counted(limit: BackupRecord.countLimit))
      let item = keyClass.isMigratable ? nil : try leftOut(&reader, index)
      guard let key = keys.keys[keyClass] else {
        guard let item else {
          throw AtRestError.damaged("\(name) has no key for its items of class \(keyClass.name).")
        }
        try body(.leftOut(item))
        continue
      }
      let record = try SealingKey(key.bytes.derive(.backupRecord))
        .open(
          box, context: BackupRecord.context(keys.id, index, number),
          name: "Item \(index + 1) of \(name)")
      try body(.item(BackupRecord(record), keyClass))
    }
  }

  private func leftOut(_ reader: inout ByteReader, _ index: UInt64) throws -> LeftOutItem {
    let box = Data(try reader.counted(limit: BackupRecord.countLimit))
    let encoded = try SealingKey(keys.nameKey.bytes.duplicate())
      .open(
        box, context: BackupRecord.context(keys.id, index, BackupRecord.leftOut),
        name: "The name of item \(index + 1) of \(name)")
    return try LeftOutItem(encoded)
  }

  private func records() throws -> ByteReader {
    var reader = ByteReader(bytes, name: name)
    _ = try reader.fixed(start)
    return reader
  }

  private func checkEnd() throws {
    var reader = try records()
    var index: UInt64 = 0
    while true {
      let offset = reader.offset
      let number = try reader.integer(UInt8.self)
      let box = Data(try reader.counted(limit: BackupRecord.countLimit))
      guard number == BackupRecord.end else {
        if KeyClass(rawValue: number)?.isMigratable == false {
          _ = try reader.counted(limit: BackupRecord.countLimit)
        }
        index += 1
        continue
      }
      let digest = Data(SHA256.hash(data: bytes.prefix(offset)))
      _ = try SealingKey(keys.endKey.bytes.duplicate())
        .open(
          box, context: BackupRecord.context(keys.id, index, number) + digest,
          name: "The end of \(name)"
        ).count
      return try reader.finish()
    }
  }
}
