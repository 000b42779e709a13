import AtRestFormats
import Foundation

/// What a row of `Manifest.db` keeps of a file: an archived `MBFile`.
struct BackupFileRecord {
  let size: Int
  let modified: Date?
  let protectionClass: UInt32?
  /// The class in 4 bytes, little-endian, and 40 bytes of wrapped key.
  let encryptionKey: Data?
  /// Where a link leads.
  let target: String?

  /// - Throws: ``FormatError`` if it is no such archive.
  init(_ archive: [UInt8]) throws(FormatError) {
    guard let record = KeyedArchive(PropertyList.read(Data(archive), path: ""))?.root,
      record.entries != nil
    else { throw FormatError("What the manifest keeps of the file is no archive of one.") }
    size = max(0, Int(clamping: record["Size"]?.integer ?? 0))
    modified = record["LastModified"]?.integer.map { Date(timeIntervalSince1970: Double($0)) }
    protectionClass = record["ProtectionClass"]?.integer.flatMap { UInt32(exactly: $0) }
    encryptionKey = record["EncryptionKey"]?.data
    target = record["Target"]?.string
  }
}
