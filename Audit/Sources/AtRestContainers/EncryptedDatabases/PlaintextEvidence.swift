import AtRestFormats

/// The evidence that bytes are the contents of a file, if nothing authenticates them.
///
/// A wrong key yields random bytes. Each bit halves the number of wrong keys that pass.
enum PlaintextEvidence {
  /// The number of bits that prove a key. At most four million are tried on a file, so one of 60 million files is taken
  /// for an opened one.
  static let needed = 48.0
  /// The number of bits of each letter of a text: one of 98 of 256 bytes, or one in UTF-8.
  private static let bitsOfLetter = (ascii: 1.3, other: 1.0)

  /// Returns the number of bits by which the beginning of a file is a text or a file of a known format.
  static func bits(_ head: [UInt8], isWhole: Bool) -> Double {
    switch FileType.read(head, isWhole: isWhole) {
    case .sqlite: 128
    case .png: 64
    case .binaryPropertyList, .xz, .sevenZip: 48
    case .bzip2: 72
    case .pdf: 40
    case .zip: 32 + (isUsualZip(head) ? 24 : 0)
    case .gzip: 24 + (isUsualGzip(head) ? 12 : 0)
    case .realm, .machO, .zstd, .lz4: 32
    case .jpeg: 24
    case .text, .json, .xml, .html, .xmlPropertyList: text(head, isWhole: isWhole)
    default: 0
    }
  }

  private static func text(_ head: [UInt8], isWhole: Bool) -> Double {
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }) else { return 0 }
    if head.allSatisfy({ $0 < 0x80 }) { return bitsOfLetter.ascii * Double(head.count) }
    // The last character may be cut off.
    let cuts = isWhole ? 0...0 : 0...3
    let isText = cuts.contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    return isText ? bitsOfLetter.other * Double(head.count) : 0
  }

  /// Returns true for a first entry with a version that exists, and stored or deflated.
  private static func isUsualZip(_ head: [UInt8]) -> Bool {
    head.count >= 10 && head[4] < 64 && head[5] == 0 && (head[8] == 0 || head[8] == 8)
      && head[9] == 0
  }

  /// Returns true for a header with flags, a level and a system that exist.
  private static func isUsualGzip(_ head: [UInt8]) -> Bool {
    head.count >= 10 && head[3] < 0x20 && [0, 2, 4].contains(head[8])
      && (head[9] <= 13 || head[9] == 255)
  }
}
