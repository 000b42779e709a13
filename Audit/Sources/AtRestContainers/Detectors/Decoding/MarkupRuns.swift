/// Finds passages whose words are split by markup, as in `vio<b>let</b>`, and removes the markup.
struct MarkupRuns {
  /// The maximum length of a tag in bytes.
  private static let longestTag = 1024
  /// Elements that may be within a word. Others separate texts.
  private static let inline = Set(
    [
      "a", "abbr", "b", "bdi", "bdo", "big", "code", "del", "em", "font", "i", "ins", "kbd", "mark",
      "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
    ].map { $0.utf8.reduce(0 as UInt64) { $0 << 8 | UInt64($1) } })

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Returns the passages that contain markup within a line of text, without it.
  func search(_ runs: inout [EncodedRun]) {
    var bytes: [UInt8] = []
    /// The start of the passage, and of its part that is not in `bytes` yet.
    var (start, copied) = (0, 0)
    var isSplit = false
    var place = 0
    func finish(at end: Int) {
      guard isSplit else { return }
      bytes += text[copied..<end]
      runs.append(EncodedRun(range: start..<end, encoding: "markup", bytes: bytes))
    }
    while let open = text.index(of: 0x3C, from: place) {
      guard let tag = tag(at: open) else {
        place = open &+ 1
        continue
      }
      place = tag.end
      if tag.isInline {
        bytes += text[copied..<open]
        isSplit = true
      } else {
        finish(at: open)
        bytes = []
        isSplit = false
        start = tag.end
      }
      copied = tag.end
    }
    finish(at: text.count)
  }

  /// Reads `<name …>`, `</name>` or a comment.
  private func tag(at open: Int) -> (end: Int, isInline: Bool)? {
    var start = open &+ 1
    if start < text.count, text[start] == 0x2F { start &+= 1 }
    guard start < text.count else { return nil }
    let isComment = text[start] == 0x21
    guard isComment || ASCII.isLetter(text[start]),
      let close = text.index(of: 0x3E, from: start, to: min(text.count, open &+ Self.longestTag))
    else { return nil }
    if isComment { return (close &+ 1, true) }
    // A name of up to eight characters as a number.
    var name: UInt64 = 0
    var end = start
    while end < close, end &- start < 8, ASCII.isAlphanumeric(text[end]) {
      name = name << 8 | UInt64(ASCII.lower(text[end]))
      end &+= 1
    }
    return (close &+ 1, Self.inline.contains(name))
  }
}
