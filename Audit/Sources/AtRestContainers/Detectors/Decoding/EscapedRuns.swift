import AtRestSecrets

/// Finds parts of text that contain escaped characters, and decodes them.
struct EscapedRuns {
  /// The maximum number of bytes before the first escape of a part, and after its last escape.
  private static let reach = 256

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  func search(_ runs: inout [EncodedRun]) {
    search(.percent, "percent", &runs)
    search(.backslash, "escapes", &runs)
    search(.entity, "entities", &runs)
    // An equals sign before two digits may also be an assignment, so at least two are required.
    search(.quotedPrintable, "quoted-printable", least: 2, &runs)
  }

  private func search(
    _ style: TextEscape.Style, _ encoding: String, least: Int = 1, _ runs: inout [EncodedRun]
  ) {
    let sign = style.mark
    var place = 0
    var last = 0
    while let next = text.index(of: sign, from: place) {
      place = next
      guard let first = read(style, place) else {
        place &+= 1
        continue
      }
      var start = place
      while start > last, place - start < Self.reach, isText(text[start - 1]) { start &-= 1 }
      // Most escapes are alone and none, so the part is decoded only if there are enough of them.
      var end = first.end
      var lastEscape = end
      var escapes = Self.weight(first)
      while end < text.count, isText(text[end]), end - lastEscape < Self.reach {
        if text[end] == sign, let next = read(style, end) {
          end = next.end
          lastEscape = end
          escapes += Self.weight(next)
        } else {
          end &+= 1
        }
      }
      if escapes >= least {
        runs.append(
          EncodedRun(
            range: start..<end, encoding: encoding, bytes: decoded(start..<end, place, style)))
      }
      place = end
      last = end
    }
  }

  /// Decodes a part, whose first escape is at a place.
  private func decoded(
    _ range: Range<Int>, _ first: Int, _ style: TextEscape.Style
  ) -> [UInt8] {
    var bytes = Array(text[range.lowerBound..<first])
    var place = first
    while place < range.upperBound {
      if text[place] == style.mark, let escape = read(style, place) {
        escape.append(to: &bytes)
        place = escape.end
      } else {
        bytes.append(text[place])
        place &+= 1
      }
    }
    return bytes
  }

  /// How much an escape counts. A line break that is taken out is no coincidence.
  private static func weight(_ escape: TextEscape) -> Int { escape.count == 0 ? 2 : 1 }

  private func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 9 || byte == 0x0A || byte == 0x0D
  }

  private func read(_ style: TextEscape.Style, _ place: Int) -> TextEscape? {
    TextEscape.read(style, in: text, at: place, isStrict: true)
  }
}
