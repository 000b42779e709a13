/// Splits Swift code into words and symbols, and skips comments and literals. Code that is
/// interpolated into a string is included.
///
/// It never fails: code that does not compile yields arbitrary tokens.
struct SwiftLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var tokens: [SwiftToken] = []
  /// The nesting depth of strings. Code with deeper nesting is read as text.
  private var depth = 0
  private let hasDirectives: Bool

  static func tokens(_ bytes: [UInt8]) -> [SwiftToken] {
    var lexer = SwiftLexer(bytes: bytes, hasDirectives: true)
    if bytes.starts(with: Array("#!".utf8)) { lexer.skipLine() }
    lexer.run(untilClosed: false)
    return lexer.tokens
  }

  private init(bytes: [UInt8], hasDirectives: Bool) {
    self.bytes = bytes
    self.hasDirectives = hasDirectives
  }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Splits the following code, up to its end or to the parenthesis that closes an interpolation.
  private mutating func run(untilClosed: Bool) {
    var parentheses = 0
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "/") where isNext("//"): skipLine()
      case UInt8(ascii: "/") where isNext("/*"): skipComment()
      case UInt8(ascii: "/") where startsRegex: skipRegex()
      case UInt8(ascii: "\""): skipString(hashes: 0)
      case UInt8(ascii: "#"): readHash()
      case UInt8(ascii: "`"): position += 1
      case _ where Self.isWord(byte): readWord()
      case _ where byte <= 0x20: position += 1
      default:
        if byte == UInt8(ascii: "(") { parentheses += 1 }
        if byte == UInt8(ascii: ")") {
          if parentheses == 0, untilClosed { return }
          parentheses -= 1
        }
        append(.sign, from: position, count: 1)
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private mutating func append(_ kind: SwiftToken.Kind, from start: Int, count: Int) {
    let text = String(decoding: bytes[start..<start + count], as: UTF8.self)
    tokens.append(SwiftToken(kind: kind, text: text, offset: start))
    position = start + count
  }

  private mutating func readWord() {
    let start = position
    while let byte = byte(), Self.isWord(byte) { position += 1 }
    append(.word, from: start, count: position - start)
  }

  private mutating func skipLine() {
    while let byte = byte(), byte != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        position += 2
      } else if isNext("*/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < bytes.count
  }

  // MARK: After a number sign: directives, raw strings, regular expressions

  private mutating func readHash() {
    let start = position
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    switch byte(hashes) {
    case UInt8(ascii: "\""):
      position += hashes
      skipString(hashes: hashes)
    case UInt8(ascii: "/"):
      position += hashes + 1
      skip(to: [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: hashes))
    default:
      position += 1
      let word = position
      while let byte = byte(), Self.isWord(byte) { position += 1 }
      let text = String(decoding: bytes[word..<position], as: UTF8.self)
      guard hasDirectives, ["if", "elseif", "else", "endif"].contains(text) else { return }
      readDirective(text, at: start)
    }
  }

  private mutating func readDirective(_ name: String, at start: Int) {
    let begin = position
    skipLine()
    var condition = SwiftLexer(bytes: Array(bytes[begin..<position]), hasDirectives: false)
    condition.run(untilClosed: false)
    tokens.append(
      SwiftToken(kind: .directive(condition.tokens.map(\.text)), text: name, offset: start))
  }

  private mutating func skip(to end: [UInt8]) {
    while position < bytes.count, !bytes[position...].starts(with: end) {
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + end.count, bytes.count)
  }

  // MARK: Literals

  private mutating func skipString(hashes: Int) {
    let hashes = Array(repeating: UInt8(ascii: "#"), count: hashes)
    let isLong = isNext("\"\"\"")
    let end = Array(repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + hashes
    let escape = [UInt8(ascii: "\\")] + hashes
    position += isLong ? 3 : 1
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.starts(with: end) {
        position += end.count
        return
      }
      // A string that is never closed ends with its line.
      if !isLong, rest.first == UInt8(ascii: "\n") { return }
      guard rest.starts(with: escape) else {
        position += 1
        continue
      }
      position += escape.count
      if byte() == UInt8(ascii: "("), depth < 100 {
        position += 1
        depth += 1
        run(untilClosed: true)
        depth -= 1
      }
      position += 1
    }
  }

  /// True if a slash can only begin a regular expression, because no value precedes it.
  private var startsRegex: Bool {
    guard let next = byte(1), next > 0x20 else { return false }
    guard let last = tokens.last else { return false }
    if case .word = last.kind {
      guard ["return", "case", "in", "try", "where"].contains(last.text) else { return false }
    } else if !["=", "(", ",", ":", "[", "{", "~"].contains(last.text) {
      return false
    }
    var ahead = position + 1
    while ahead < bytes.count, bytes[ahead] != UInt8(ascii: "\n") {
      if bytes[ahead] == UInt8(ascii: "/") { return true }
      ahead += bytes[ahead] == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  private mutating func skipRegex() {
    position += 1
    skip(to: [UInt8(ascii: "/")])
  }
}
