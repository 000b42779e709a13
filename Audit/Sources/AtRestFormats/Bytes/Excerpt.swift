/// Bytes around a secret, with which of them are secret.
///
/// It holds the secret itself; neither its description nor a dump of it does.
public struct Excerpt: Hashable, Sendable {
  /// The most bytes of one.
  public static let limit = 256

  public let bytes: [UInt8]
  /// In order and apart from one another.
  public let secrets: [Range<Int>]
  /// Where the first byte stands in the value.
  public let offset: Int
  /// Whether the bytes are UTF-8 that a person can read.
  public let isText: Bool

  public init(bytes: [UInt8], secrets: [Range<Int>], offset: Int, isText: Bool) {
    self.bytes = bytes
    self.secrets = secrets
    self.offset = offset
    self.isText = isText
  }

  /// Bytes on either side of a secret that are shown.
  private static let context = 40

  /// The part of a value around a range of it.
  ///
  /// - Parameter secrets: All that are known of the value, so that one does not show in the excerpt of
  ///   another.
  package init(around range: Range<Int>, of value: [UInt8], secrets: [Range<Int>]) {
    var start = max(0, range.lowerBound - Self.context)
    var end = min(value.count, max(range.upperBound + Self.context, start), start + Self.limit)
    // No character is cut in two.
    while start < range.lowerBound, value[start] & 0xC0 == 0x80 { start += 1 }
    while end > start, end < value.count, value[end] & 0xC0 == 0x80 { end -= 1 }
    bytes = Array(value[start..<end])
    offset = start
    isText = Self.isReadable(bytes)
    var ranges: [Range<Int>] = []
    // Sorted are those alone that show: a value may have a million.
    let shown = secrets.filter { $0.overlaps(start..<end) } + [range]
    for secret in shown.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let part = secret.clamped(to: start..<end)
      guard !part.isEmpty else { continue }
      let moved = (part.lowerBound - start)..<(part.upperBound - start)
      if let last = ranges.last, last.upperBound >= moved.lowerBound {
        ranges[ranges.count - 1] =
          last.lowerBound..<max(last.upperBound, moved.upperBound)
      } else {
        ranges.append(moved)
      }
    }
    self.secrets = ranges
  }

  private static func isReadable(_ bytes: [UInt8]) -> Bool {
    !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F }
      && String(validating: bytes, as: UTF8.self) != nil
  }
}

extension Excerpt: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(bytes.count) bytes from \(offset)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
