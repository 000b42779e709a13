/// Reads the strings in a Realm database that is not encrypted.
///
/// All arrays in the file are read, whether they are still referenced or not. An array is a header
/// of eight bytes, with `AAAA`, flags and a count of three bytes, big-endian, followed by its
/// elements. Strings are arrays of short strings of one width, or bytes with zeros between them.
/// The printable strings between arrays are reported too. The layout is that of `node_header.hpp`
/// in Realm's core, up to version 24 of the file format.
package enum RealmFile {
  /// The contents of the file's header.
  package struct Header: Hashable, Sendable {
    /// The format version of the newest root.
    package let version: Int
    /// The offset of the newest root.
    package let root: Int
  }

  package struct Text: Hashable, Sendable {
    package let text: String
    /// The offset of the text in the file, in bytes.
    package let offset: Int
  }

  /// The minimum number of characters of a string between arrays.
  static let minimum = 4

  /// Reads the header.
  ///
  /// - Throws: ``FormatError`` if the file is encrypted, is not a Realm, or has a damaged header.
  package static func header(_ source: ByteSource) throws(FormatError) -> Header {
    let head = try source.prefix(24)
    guard head.count == 24, head.has("T-DB", at: 16) else {
      throw FormatError("This is not a Realm database, or it is encrypted.", offset: 0)
    }
    let slot = Int(head[23] & 1)
    guard let root = head.littleEndian64(at: 8 * slot), let place = Int(exactly: root) else {
      throw FormatError("The header of the Realm database is damaged.", offset: 8 * slot)
    }
    return Header(version: Int(head[20 + slot]), root: place)
  }

  /// Reads all strings in the order of their offsets.
  ///
  /// - Throws: ``FormatError`` if the file is encrypted, is not a Realm, or cannot be read.
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
      // Arrays begin at multiples of eight bytes.
      offset = start + (node.size + 7) / 8 * 8
      unread = min(offset, source.count)
    }
    try scan.read(source, in: unread..<source.count) {
      each(Text(text: $0.text, offset: $0.offset))
    }
  }

  /// Reads strings of one width. Each string is padded with zeros, and its last byte is the number
  /// of zeros.
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
      case bits(Int)
      case elements(Int)
      case bytes
    }

    let width: Width
    let count: Int
    /// The size in bytes, without the header.
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
        // Arrays of references contain no texts, and arrays of width zero only empty ones.
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
