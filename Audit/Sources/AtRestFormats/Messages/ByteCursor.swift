/// A position in bytes that are read once, and a budget for the values in them.
struct ByteCursor {
  static let depthLimit = 64

  private let bytes: [UInt8]
  private var place = 0
  private var budget = PropertyList.valueLimit

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  var left: Int { bytes.count - place }
  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Counts a value. Returns false if there are too many.
  mutating func take() -> Bool {
    budget -= 1
    return budget >= 0
  }

  /// Reads a number of 1 to 8 bytes, the most significant first.
  mutating func number(_ size: Int) -> UInt64? {
    bytes(size).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }

  /// Reads a number that cannot exceed the bytes that are left.
  mutating func size(_ size: Int) -> Int? {
    guard let number = number(size), number <= UInt64(left) else { return nil }
    return Int(number)
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= left else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// Reads text in UTF-8.
  mutating func text(_ count: Int) -> String? {
    bytes(count).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

extension PropertyList.Node {
  /// The text of a value that is the key of a dictionary: text or a number.
  var keyText: String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// True for a dictionary with a word as a key, and for an array that contains one.
  var isRecord: Bool {
    switch value {
    case .dictionary(let entries):
      entries.contains { entry in
        entry.key.unicodeScalars.count { $0.properties.isAlphabetic } >= 2
          && !entry.key.unicodeScalars.contains { $0.value < 0x20 }
      }
    case .array(let nodes): nodes.contains(where: \.isRecord)
    default: false
    }
  }
}
