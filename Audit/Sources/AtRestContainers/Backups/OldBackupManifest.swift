import AtRestFormats
import Foundation

/// `Manifest.mbdb`, the list of files of backups of iOS 4 to 9.
///
/// The file begins with `mbdb`, 5 and 0, followed by a record for each file: domain, path, target,
/// digest and key, each after its length in two bytes (0xFFFF if it is missing), then 40 bytes of
/// numbers, then named attributes. Numbers are big-endian. The layout is known from public research
/// (*iphone-dataprotection*).
package struct OldBackupManifest {
  private static let magic: [UInt8] = Array("mbdb".utf8) + [5, 0]
  package static let sizeLimit = 256 << 20

  private(set) var entries: [Backup.Entry] = []
  private(set) var skipped: [Skip] = []
  private let bytes: [UInt8]
  private var offset: Int

  /// Reads the records until the first damaged one.
  ///
  /// - Throws: ``FormatError`` if the bytes do not begin like such a file.
  init(_ bytes: [UInt8]) throws(FormatError) {
    guard bytes.starts(with: Self.magic) else {
      throw FormatError("This is not a Manifest.mbdb of version 5.", offset: 0)
    }
    self.bytes = bytes
    offset = Self.magic.count
    while offset < bytes.count {
      let start = offset
      guard let entry = record() else {
        let reason = "The list of files is damaged from byte \(start) on."
        skipped.append(Skip(path: "Manifest.mbdb", reason: reason))
        return
      }
      entries.append(entry)
    }
  }

  private mutating func record() -> Backup.Entry? {
    guard let domain = field(), let path = field(), let target = field(), field() != nil,
      let key = field(), offset <= bytes.count - 40
    else { return nil }
    let mode = number(at: offset, count: 2)
    let modified = number(at: offset + 18, count: 4)
    let size = number(at: offset + 30, count: 8)
    let protectionClass = UInt32(bytes[offset + 38])
    let attributes = Int(bytes[offset + 39])
    offset += 40
    for _ in 0..<attributes {
      guard field() != nil, field() != nil else { return nil }
    }
    let kind: Backup.Entry.Kind
    switch mode & 0xF000 {
    case 0x8000: kind = .file
    case 0x4000: kind = .folder
    case 0xA000: kind = .link
    default: return nil
    }
    let wrapped = key.count > 4 ? Data(bytes[key].dropFirst(4)) : nil
    return Backup.Entry(
      domain: text(domain), path: text(path), kind: kind, size: Int(clamping: size),
      modified: Date(timeIntervalSince1970: Double(modified)),
      protectionClass: protectionClass == 0 ? nil : .init(rawValue: protectionClass),
      isEncrypted: wrapped != nil, target: target.isEmpty ? nil : text(target),
      fileID: Backup.fileID(domain: text(domain), path: text(path)), wrappedKey: wrapped)
  }

  /// Reads a length and the bytes that follow it. Returns an empty range if the field is missing,
  /// and nil if it is cut off.
  private mutating func field() -> Range<Int>? {
    guard offset <= bytes.count - 2 else { return nil }
    let length = Int(number(at: offset, count: 2))
    offset += 2
    if length == 0xFFFF { return offset..<offset }
    guard length <= bytes.count - offset else { return nil }
    defer { offset += length }
    return offset..<offset + length
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func number(at offset: Int, count: Int) -> UInt64 {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
