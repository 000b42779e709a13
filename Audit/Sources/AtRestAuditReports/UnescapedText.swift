import AtRestAuditModel

/// A text without the escapes of one kind, and the place of each of its bytes in the text as written.
struct UnescapedText {
  /// The kinds of escapes that files and reports write.
  static let styles: [TextEscape.Style] = [.entity, .backslash, .percent]

  private(set) var bytes: [UInt8] = []
  /// The offset at which each byte is written.
  private var starts: [Int] = []
  private let end: Int

  /// Removes the escapes from a text. Returns nil if it contains none of this kind.
  init?(_ text: [UInt8], _ style: TextEscape.Style) {
    guard text.contains(style.mark) else { return nil }
    end = text.count
    bytes.reserveCapacity(text.count)
    starts.reserveCapacity(text.count)
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        if text[index] == style.mark, let escape = TextEscape.read(style, in: text, at: index) {
          escape.append(to: &bytes)
          starts += repeatElement(index, count: escape.count)
          index = escape.end
        } else {
          bytes.append(text[index])
          starts.append(index)
          index += 1
        }
      }
    }
  }

  /// Returns the range that a range of the bytes has in the text as written.
  func written(_ range: Range<Int>) -> Range<Int> {
    func place(_ index: Int) -> Int { index < starts.count ? starts[index] : end }
    var upper = range.upperBound
    // An escape that is several bytes is masked as a whole.
    while upper < starts.count, upper > 0, starts[upper] == starts[upper - 1] { upper += 1 }
    return place(range.lowerBound)..<place(upper)
  }
}
