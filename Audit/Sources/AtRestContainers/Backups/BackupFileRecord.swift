import AtRestFormats
import Foundation

/// The record of a file in a row of `Manifest.db`: an archived `MBFile`.
struct BackupFileRecord {
  let size: Int
  let modified: Date?
  let protectionClass: UInt32?
  /// The class in 4 bytes, little-endian, followed by 40 bytes of wrapped key.
  let encryptionKey: Data?
  /// The target of a link.
  let target: String?

  /// Decodes a record.
  ///
  /// - Throws: ``FormatError`` if the bytes are not such an archive.
  init(_ archive: [UInt8]) throws(FormatError) {
    guard let record = KeyedArchive(PropertyList.read(Data(archive), path: ""))?.root,
      record.entries != nil
    else { throw FormatError("The manifest's record of the file cannot be decoded.") }
    size = max(0, Int(clamping: Self.number("Size", in: record) ?? 0))
    modified = Self.number("LastModified", in: record).map {
      Date(timeIntervalSince1970: Double($0))
    }
    protectionClass = Self.number("ProtectionClass", in: record).flatMap { UInt32(exactly: $0) }
    encryptionKey = record["EncryptionKey"]?.data
    target = record["Target"]?.string
  }

  // This is not `record[key]?.integer`, because the optimiser of Swift 6.3 fails on it.
  private static func number(_ key: String, in record: PropertyList.Node) -> Int64? {
    guard case .integer(let number)? = record[key]?.value else { return nil }
    return number
  }
}
