/// Reads the texts in a Realm database that is not encrypted.
///
/// Every array that the file holds is read where it lies, whether it is still referred to or not. An
/// array is eight bytes, `AAAA`, flags, a count of three bytes, big-endian, and its elements; texts are
/// arrays of short ones of one width, or bytes with zeros between them. Between arrays printable texts
/// are given. The layout is that of `node_header.hpp` of Realm's core, up to version 24 of the file.
package enum RealmFile {
  /// What the header says.
  package struct Header: Hashable, Sendable {
    /// The version of the format that the newest root is in.
    package let version: Int
    /// Where the newest root lies.
    package let root: Int
  }

  package struct Text: Hashable, Sendable {
    package let text: String
    /// Where it begins, in bytes from the start of the file.
    package let offset: Int
  }

  /// The least characters of a text between arrays.
  static let minimum = 4

  /// Reads the header.
  ///
  /// - Throws: ``FormatError`` if it has none: the file is encrypted, or no Realm.
  package static func header(_ source: ByteSource) throws(FormatError) -> Header {
    let head = try source.prefix(24)
    guard head.count == 24, head.has("T-DB", at: 16) else {
      throw FormatError("This is no Realm, or an encrypted one.", offset: 0)
    }
    let slot = Int(head[23] & 1)
    guard let root = head.littleEndian64(at: 8 * slot), let place = Int(exactly: root) else {
      throw FormatError("The header of the Realm is damaged.", offset: 8 * slot)
    }
    return Header(version: Int(head[20 + slot]), root: place)
  }

  /// Reads every text, by offset.
  ///
  /// - Throws: ``FormatError`` if it is no Realm, or an encrypted one, or cannot be read.
  package static func read(
    _ source: ByteSource, each: (Text) -> Void
  ) throws(FormatError) {
    _ = try header(source)
    let scan = StringsScan(encodings: [.utf8], minimum: minimum)
    var window = ByteWindow(source)
    var offset = 24
    var unread = offset
    while offset <= source.count - 8 {
      let head = try window.read(at: offset, count: 8)
      guard let node = Node(head), node.size <= source.count - offset - 8 else {
        offset += 8
        continue
      }
      try scan.read(source, in: unread..<offset) { each(Text(text: $0.text, offset: $0.offset)) }
      let start = offset + 8
      if node.width == .bytes {
        try scan.read(source, in: start..<start + node.size) {
          each(Text(text: $0.text, offset: $0.offset))
        }
      } else if case .elements(let width) = node.width {
        try short(&window, at: start, width: width, count: node.count, each: each)
      }
      // Arrays begin at multiples of eight.
      offset = start + (node.size + 7) / 8 * 8
      unread = min(offset, source.count)
    }
    try scan.read(source, in: unread..<source.count) {
      each(Text(text: $0.text, offset: $0.offset))
    }
  }

  /// Texts of one width, each padded with zeros and, in its last byte, the count of those.
  private static func short(
    _ window: inout ByteWindow, at start: Int, width: Int, count: Int, each: (Text) -> Void
  ) throws(FormatError) {
    for index in 0..<count {
      let place = start + index * width
      let bytes = try window.read(at: place, count: width)
      let padding = Int(bytes[width - 1])
      guard padding < width else { continue }
      let text = bytes[..<(width - 1 - padding)]
      guard !text.isEmpty, bytes[text.count..<(width - 1)].allSatisfy({ $0 == 0 }),
        let string = String(validating: text, as: UTF8.self)
      else { continue }
      each(Text(text: string, offset: place))
    }
  }

  /// The header of an array.
  private struct Node {
    enum Width: Equatable {
      case bits(Int), elements(Int), bytes
    }

    let width: Width
    let count: Int
    /// In bytes, without the header.
    let size: Int

    init?(_ head: [UInt8]) {
      guard head.has("AAAA", at: 0), let count = head.bigEndian(at: 5, size: 3) else { return nil }
      self.count = count
      let width = head[4] & 7 == 0 ? 0 : 1 << (Int(head[4] & 7) - 1)
      switch head[4] >> 3 & 3 {
      case 0:
        self.width = .bits(width)
        size = (count * width + 7) / 8
      case 1:
        // What holds references holds no texts; a width of zero has empty ones alone.
        self.width = width > 1 && head[4] & 0x40 == 0 ? .elements(width) : .bits(0)
        size = count * width
      case 2:
        self.width = .bytes
        size = count
      default: return nil
      }
    }
  }
}
