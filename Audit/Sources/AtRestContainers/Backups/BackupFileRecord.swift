import AtRestFormats
import Foundation

/// What a row of `Manifest.db` keeps of a file: an archived `MBFile`.
struct BackupFileRecord {
  let size: Int
  let mode: Int
  let modified: Date?
  let protectionClass: UInt32?
  /// The class in 4 bytes, little-endian, and 40 bytes of wrapped key.
  let encryptionKey: Data?
  let target: String?

  /// - Throws: ``FormatError`` if it is no such archive.
  init(_ archive: [UInt8]) throws(FormatError) {
    let list = PropertyList.read(Data(archive), path: "")
    guard archive.starts(with: Array("bplist".utf8)), let root = list.root,
      let objects = root["$objects"]?.array, let top = root["$top"]?["root"]?.uid,
      objects.indices.contains(top), objects[top].entries != nil
    else { throw FormatError("What the manifest keeps of the file is no archive of one.") }
    let record = objects[top]
    /// The value itself, or the object that it refers to.
    func value(_ key: String) -> PropertyList.Node? {
      guard let node = record[key] else { return nil }
      guard let uid = node.uid else { return node }
      return objects.indices.contains(uid) ? objects[uid] : nil
    }
    size = max(0, Int(clamping: value("Size")?.integer ?? 0))
    mode = Int(clamping: value("Mode")?.integer ?? 0)
    modified = value("LastModified")?.integer.map { Date(timeIntervalSince1970: Double($0)) }
    protectionClass = value("ProtectionClass")?.integer.flatMap { UInt32(exactly: $0) }
    let key = value("EncryptionKey")
    encryptionKey = key?.data ?? key?["NS.data"]?.data
    target = value("Target")?.string
  }
}
