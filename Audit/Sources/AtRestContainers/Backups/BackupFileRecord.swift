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
    size = max(0, Int(clamping: Self.number("Size", in: record) ?? 0))
    modified = Self.number("LastModified", in: record).map {
      Date(timeIntervalSince1970: Double($0))
    }
    protectionClass = Self.number("ProtectionClass", in: record).flatMap { UInt32(exactly: $0) }
    encryptionKey = record["EncryptionKey"]?.data
    target = record["Target"]?.string
  }

  // Not `record[key]?.integer`, on which the optimiser of Swift 6.3 fails.
  private static func number(_ key: String, in record: PropertyList.Node) -> Int64? {
    guard case .integer(let number)? = record[key]?.value else { return nil }
    return number
  }
}
