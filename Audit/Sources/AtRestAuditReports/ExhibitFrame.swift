import AtRestAuditModel
import AtRestFormats

/// The bytes around a finding in a container, ready to be shown: without control characters, and
/// with secrets masked unless they are to be revealed.
enum ExhibitFrame {
  /// Lines of text.
  case text([[Piece]])
  /// Rows of at most 16 bytes each.
  case hex([Row])

  struct Piece {
    let text: String
    /// True if the text is a secret or its mask.
    let isSecret: Bool
  }

  struct Row {
    /// The offset of the first byte within the value.
    let offset: Int
    let bytes: [Byte]

    /// The offset in at least eight hexadecimal digits.
    var place: String { ExhibitFrame.digits(offset, 8) }
  }

  struct Byte {
    /// The two hexadecimal digits of the byte.
    let digits: String
    /// The byte in ASCII, or a point if it cannot be printed.
    let character: String
    let isSecret: Bool
  }

  /// - Parameters:
  ///   - excerpt: The excerpt, which is shown up to its limit.
  ///   - secrets: The ranges of secrets in it, ordered and without overlaps.
  init(_ excerpt: Exhibit.Excerpt, secrets: [Range<Int>], reveal: Bool) {
    let bytes = Array(excerpt.bytes.prefix(Exhibit.Excerpt.limit))
    let offset = max(excerpt.offset, 0)
    self =
      excerpt.isText
      ? .text(Self.lines(bytes, secrets, reveal: reveal))
      : .hex(Self.rows(bytes, secrets, offset, reveal: reveal))
  }

  private static func lines(
    _ bytes: [UInt8], _ secrets: [Range<Int>], reveal: Bool
  ) -> [[Piece]] {
    var lines: [[Piece]] = [[]]
    func add(_ range: Range<Int>, isSecret: Bool) {
      let text = String(decoding: bytes[range], as: UTF8.self)
      if isSecret, !reveal {
        lines[lines.count - 1].append(Piece(text: Secrets.masked(text), isSecret: true))
        return
      }
      for (index, line) in text.split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline
      ).enumerated() {
        if index > 0 { lines.append([]) }
        let shown = Display.safe(String(line))
        if !shown.isEmpty {
          lines[lines.count - 1].append(Piece(text: shown, isSecret: isSecret))
        }
      }
    }
    var start = 0
    for secret in secrets {
      add(start..<secret.lowerBound, isSecret: false)
      add(secret, isSecret: true)
      start = secret.upperBound
    }
    add(start..<bytes.count, isSecret: false)
    return lines
  }

  private static func rows(
    _ bytes: [UInt8], _ secrets: [Range<Int>], _ offset: Int, reveal: Bool
  ) -> [Row] {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      Row(
        offset: offset &+ start,
        bytes: (start..<min(start + 16, bytes.count)).map { index in
          let byte = bytes[index]
          let isSecret = secrets.contains { $0.contains(index) }
          let isMasked = isSecret && !reveal
          let isPrintable = (0x20..<0x7F).contains(byte)
          return Byte(
            digits: isMasked ? "··" : digits(Int(byte), 2),
            character: isMasked
              ? "·" : isPrintable ? String(UnicodeScalar(byte)) : ".",
            isSecret: isSecret)
        })
    }
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(max(number, 0), radix: 16)
    return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
  }

  /// The rows for plain text: `00000010  41 ·· …  A·…`.
  var lines: [String] {
    switch self {
    case .text(let lines): lines.map { $0.map(\.text).joined() }
    case .hex(let rows):
      rows.map { row in
        let digits = row.bytes.map(\.digits).joined(separator: " ")
        let blanks = String(repeating: " ", count: (16 - row.bytes.count) * 3)
        return "\(row.place)  \(digits)\(blanks)  \(row.bytes.map(\.character).joined())"
      }
    }
  }
}
