/// Bytes around a secret, with the ranges of the secrets in them.
///
/// It holds the secret itself, but neither its description nor a dump of it shows the secret.
public struct Excerpt: Hashable, Sendable {
  /// The maximum number of bytes.
  public static let limit = 256

  public let bytes: [UInt8]
  /// The ranges of the secrets in `bytes`, in order and without overlap.
  public let secrets: [Range<Int>]
  /// The offset of the first byte in the value.
  public let offset: Int
  /// True if the bytes are UTF-8 that a person can read.
  public let isText: Bool

  /// Creates an excerpt from its parts.
  public init(bytes: [UInt8], secrets: [Range<Int>], offset: Int, isText: Bool) {
    self.bytes = bytes
    self.secrets = secrets
    self.offset = offset
    self.isText = isText
  }

  /// The number of bytes shown on either side of a secret.
  private static let context = 40

  /// Creates the excerpt of a value around a range.
  ///
  /// - Parameter secrets: All known secrets of the value, so that none is shown in the excerpt of
  ///   another.
  package init(around range: Range<Int>, of value: [UInt8], secrets: [Range<Int>]) {
    var start = max(0, range.lowerBound - Self.context)
    var end = min(value.count, max(range.upperBound + Self.context, start), start + Self.limit)
    // Do not cut a character in two.
    while start < range.lowerBound, value[start] & 0xC0 == 0x80 { start += 1 }
    while end > start, end < value.count, value[end] & 0xC0 == 0x80 { end -= 1 }
    bytes = Array(value[start..<end])
    offset = start
    isText = Self.isReadable(bytes)
    var ranges: [Range<Int>] = []
    // Only the visible secrets are sorted, because a value may have a million.
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
