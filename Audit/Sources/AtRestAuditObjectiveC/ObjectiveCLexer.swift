import AtRestAuditModel

/// Splits C and Objective-C into tokens in one pass, and reads comments and preprocessor lines.
struct ObjectiveCLexer {
  let bytes: UnsafeBufferPointer<UInt8>
  let lines: LineTable
  var position = 0
  /// The offset at which the current line begins.
  var lineStart = 0
  /// The end of the last token, including tokens of preprocessor lines.
  var codeEnd = -1
  /// True if a newline ends the token list, as in a directive.
  var isInDirective = false
  var isFirstOnLine = true
  var tokens: [ObjectiveCToken] = []
  var names = ObjectiveCNames.words
  var imports: [String] = []
  var directives: [Directive] = []
  var macros: [ObjectiveCMacro] = []
  /// The macros without a body, or with one that does nothing.
  var emptyMacros: [EmptyMacro] = []
  var skipped: [(offset: Int32, reason: String)] = []

  // The state and the results of `#if` and its branches.
  var frames: [ObjectiveCConditionFrame] = []
  /// The number of open `#if` beyond the maximum depth.
  var ignoredFrames = 0
  var groups: [ObjectiveCConditionGroup] = []
  /// The conditions, each with the token from which it holds.
  var conditions: [(token: Int, condition: String?)] = []
  /// The number of open braces, not counting namespaces.
  var braceDepth = 0

  /// Creates a lexer for at most `Int32.max` bytes, which must outlive the lexer.
  init(_ bytes: UnsafeBufferPointer<UInt8>, lines: LineTable) {
    self.bytes = bytes
    self.lines = lines
    tokens.reserveCapacity(bytes.count / 5)
  }

  /// Reads the whole file.
  mutating func run() {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
    while let token = scan() {
      if token.kind == .hash {
        if token.isFirstOnLine { readDirective() }
        continue
      }
      append(token)
    }
    while !frames.isEmpty { endFrame() }
    ObjectiveCBrackets.match(&tokens)
  }

  private mutating func append(_ token: ObjectiveCToken) {
    switch token.kind {
    case .openBrace: if !opensNamespace { braceDepth += 1 }
    case .closeBrace: braceDepth = max(0, braceDepth - 1)
    case .atWord:
      switch ObjectiveCWord(rawValue: token.value) {
      case .interface, .implementation, .end: braceDepth = 0
      default: break
      }
    default: break
    }
    tokens.append(token)
  }

  /// True if the last tokens are `namespace a` or `extern "C"`.
  private var opensNamespace: Bool {
    guard tokens.count >= 2 else { return false }
    let before = tokens[tokens.count - 2]
    guard before.kind == .word else { return false }
    let last = tokens[tokens.count - 1].kind
    return before.value == ObjectiveCWord.namespace.rawValue && last == .word
      || before.value == ObjectiveCWord.extern.rawValue && last == .string
  }

  // MARK: - Bytes

  /// Returns the byte at this distance, or 0 past the end.
  @inline(__always) func peek(_ distance: Int = 0) -> UInt8 {
    let index = position + distance
    return index < bytes.count ? bytes[index] : 0
  }

  mutating func endLine() {
    position += 1
    lineStart = position
  }

  // MARK: - Tokens

  /// Returns the next token, or nil at the end of the file or the directive.
  mutating func scan() -> ObjectiveCToken? {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"):
        if isInDirective { return nil }
        endLine()
        isFirstOnLine = true
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLineComment()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\\"): skipContinuation()
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
        return word()
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
      case UInt8(ascii: "."):
        if peek(1).isDigit { return number() }
        return punctuation(byte)
      case UInt8(ascii: "\""): return quoted(.string, from: position)
      case UInt8(ascii: "'"): return quoted(.character, from: position)
      case UInt8(ascii: "@"): return at()
      case 0...0x20, UInt8(ascii: "`"), 0x7F: position += 1
      default: return punctuation(byte)
      }
    }
    return nil
  }

  mutating func token(
    _ kind: ObjectiveCToken.Kind, from start: Int, value: Int32 = -1
  ) -> ObjectiveCToken {
    let token = ObjectiveCToken(
      kind: kind, isFirstOnLine: isFirstOnLine, start: Int32(start), end: Int32(position),
      value: value)
    isFirstOnLine = false
    codeEnd = position
    return token
  }

  /// Reads a word and returns the number of its name.
  mutating func name() -> Int32 {
    let start = position
    while position < bytes.count, bytes[position].isWord { position += 1 }
    return names.number(of: UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  private mutating func word() -> ObjectiveCToken {
    let start = position
    let number = name()
    // `L"x"`, `u8"x"` and `R"(x)"`.
    if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'"), position - start <= 3 {
      switch names.texts[Int(number)] {
      case "L", "u", "U", "u8":
        return quoted(peek() == UInt8(ascii: "'") ? .character : .string, from: start)
      case "R", "LR", "uR", "UR", "u8R":
        if peek() == UInt8(ascii: "\"") { return rawString(from: start) }
      default: break
      }
    }
    return token(.word, from: start, value: number)
  }

  private mutating func number() -> ObjectiveCToken {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        // This is the sign of an exponent, which follows a `p` in hexadecimal.
        let isHexadecimal = peek(start - position + 1) | 0x20 == UInt8(ascii: "x")
        let mark = bytes[position - 1] | 0x20
        guard position > start, mark == UInt8(ascii: isHexadecimal ? "p" : "e") else { break }
      } else if byte == UInt8(ascii: "'") {
        guard peek(1).isWord else { break }
      } else if !byte.isWord, byte != UInt8(ascii: ".") {
        break
      }
      position += 1
    }
    return token(.number, from: start)
  }

  private mutating func at() -> ObjectiveCToken {
    let start = position
    position += 1
    let next = peek()
    if next == UInt8(ascii: "\"") { return quoted(.objectString, from: start) }
    if next.isWord, !next.isDigit { return token(.atWord, from: start, value: name()) }
    return token(.at, from: start)
  }

  /// Reads a string or character literal. A literal that is not closed ends with its line.
  private mutating func quoted(
    _ kind: ObjectiveCToken.Kind, from start: Int
  ) -> ObjectiveCToken {
    let quote = bytes[position]
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        break
      }
      if byte == UInt8(ascii: "\n") {
        skipped.append((Int32(start), "The string is not closed."))
        break
      }
      if byte == UInt8(ascii: "\\") {
        position += 1
        if peek() == UInt8(ascii: "\r"), peek(1) == UInt8(ascii: "\n") { position += 1 }
        if peek() == UInt8(ascii: "\n") { lineStart = position + 1 }
      }
      position += 1
    }
    position = min(position, bytes.count)
    return token(kind, from: start)
  }

  /// Reads `R"mark(text)mark"`.
  private mutating func rawString(from start: Int) -> ObjectiveCToken {
    position += 1
    let mark = position
    while position < bytes.count, position - mark <= 16, bytes[position] != UInt8(ascii: "(") {
      position += 1
    }
    let length = position - mark
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: ")"), peek(length + 1) == UInt8(ascii: "\""),
        position + length + 1 < bytes.count,
        bytes[(position + 1)..<(position + 1 + length)].elementsEqual(bytes[mark..<(mark + length)])
      {
        position += length + 2
        break
      }
      if bytes[position] == UInt8(ascii: "\n") { lineStart = position + 1 }
      position += 1
    }
    return token(.string, from: start)
  }

  private mutating func punctuation(_ byte: UInt8) -> ObjectiveCToken {
    let start = position
    let next = peek(1)
    let kind: ObjectiveCToken.Kind
    var length = 1
    func assigns(_ other: ObjectiveCToken.Kind) -> ObjectiveCToken.Kind {
      guard next == UInt8(ascii: "=") else { return other }
      length = 2
      return .compoundAssign
    }
    switch byte {
    case UInt8(ascii: "("): kind = .openParen
    case UInt8(ascii: ")"): kind = .closeParen
    case UInt8(ascii: "["): kind = .openBracket
    case UInt8(ascii: "]"): kind = .closeBracket
    case UInt8(ascii: "{"): kind = .openBrace
    case UInt8(ascii: "}"): kind = .closeBrace
    case UInt8(ascii: ";"): kind = .semicolon
    case UInt8(ascii: ","): kind = .comma
    case UInt8(ascii: "?"): kind = .question
    case UInt8(ascii: "~"): kind = .complement
    case UInt8(ascii: ":"):
      kind = next == byte ? .doubleColon : .colon
      length = next == byte ? 2 : 1
    case UInt8(ascii: "."):
      let isEllipsis = next == byte && peek(2) == byte
      kind = isEllipsis ? .ellipsis : .dot
      length = isEllipsis ? 3 : 1
    case UInt8(ascii: "#"):
      kind = .hash
      length = next == byte ? 2 : 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      if next == byte {
        kind = .step
        length = 2
      } else if byte == UInt8(ascii: "-"), next == UInt8(ascii: ">") {
        kind = .arrow
        length = 2
      } else {
        kind = assigns(byte == UInt8(ascii: "+") ? .plus : .minus)
      }
    case UInt8(ascii: "*"): kind = assigns(.star)
    case UInt8(ascii: "/"), UInt8(ascii: "%"): kind = assigns(.between)
    case UInt8(ascii: "^"): kind = assigns(.caret)
    case UInt8(ascii: "&"):
      kind = next == byte ? .doubleAmpersand : assigns(.ampersand)
      if next == byte { length = 2 }
    case UInt8(ascii: "|"):
      kind = next == byte ? .between : assigns(.between)
      if next == byte { length = 2 }
    case UInt8(ascii: "!"), UInt8(ascii: "="):
      let isComparison = next == UInt8(ascii: "=")
      kind = isComparison ? .between : byte == UInt8(ascii: "!") ? .not : .assign
      length = isComparison ? 2 : 1
    case UInt8(ascii: "<"):
      if next == byte {
        kind = peek(2) == UInt8(ascii: "=") ? .compoundAssign : .between
        length = kind == .between ? 2 : 3
      } else {
        kind = next == UInt8(ascii: "=") ? .between : .less
        length = kind == .less ? 1 : 2
      }
    // `>>` may end two lists of type arguments, so the lexer leaves joining it to the parser.
    default:
      kind = next == UInt8(ascii: "=") ? .between : .greater
      length = kind == .greater ? 1 : 2
    }
    position += length
    return token(kind, from: start)
  }

  // MARK: - Blanks and comments

  private mutating func skipContinuation() {
    position += 1
    if peek() == UInt8(ascii: "\r") { position += 1 }
    if peek() == UInt8(ascii: "\n") { endLine() }
  }

  mutating func skipLineComment() {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    readComment(start, position)
  }

  mutating func skipBlockComment() {
    let start = position
    let firstLine = lineStart
    position += 2
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") { break }
      if bytes[position] == UInt8(ascii: "\n") { lineStart = position + 1 }
      position += 1
    }
    let end = position
    position = min(position + 2, bytes.count)
    readComment(start, end, lineStart: firstLine)
  }

  /// Records a directive if the comment addresses the auditor.
  private mutating func readComment(_ start: Int, _ end: Int, lineStart: Int? = nil) {
    var begin = start
    while begin < end, bytes[begin].opensComment { begin += 1 }
    let mark = "atrest:".utf8
    guard end - begin >= mark.count, bytes[begin..<(begin + mark.count)].elementsEqual(mark) else {
      return
    }
    begin += mark.count
    var last = begin
    while last < end, bytes[last] != UInt8(ascii: "\n") { last += 1 }
    while begin < last, bytes[begin] <= 0x20 { begin += 1 }
    while last > begin, bytes[last - 1] <= 0x20 { last -= 1 }
    directives.append(
      Directive(
        text: String(decoding: bytes[begin..<last], as: UTF8.self),
        line: lines.line(of: Int32(start)), followsCode: codeEnd > (lineStart ?? self.lineStart)))
  }
}

extension UInt8 {
  @inline(__always) fileprivate var isDigit: Bool { self &- 0x30 < 10 }

  @inline(__always) fileprivate var isWord: Bool {
    isDigit || (self | 0x20) &- 0x61 < 26 || self == 0x5F || self == 0x24 || self >= 0x80
  }

  fileprivate var opensComment: Bool {
    switch self {
    case UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "<"), 0...0x20: true
    default: false
    }
  }
}
