import AtRestAuditModel
import AtRestFormats

/// Reads tokens of any kind into the model, by recursive descent.
///
/// The parser never reads past `limit`. Each bracket narrows the limit to its own end, so a mistake
/// within a bracket stays there. Every loop consumes at least one token, and tokens are only read
/// again in look-aheads of bounded length.
struct ObjectiveCParser {
  typealias Kind = ObjectiveCToken.Kind
  typealias Word = ObjectiveCWord

  /// The maximum depth of the parser's recursion. Recursion to this depth fits into the 512 KiB of
  /// stack that a thread has on Apple's systems. A debug build uses far more stack at each level.
  static var deepest: Int {
    #if DEBUG
      30
    #else
      120
    #endif
  }
  /// The maximum height of an expression, because code that walks an expression recurses over it.
  static let highest = 400
  /// The maximum length of a look-ahead in tokens.
  static let lookAhead = 64

  let bytes: UnsafeBufferPointer<UInt8>
  let path: String
  let lines: LineTable
  let isCPlusPlus: Bool
  let names: [String]
  var tokens: [ObjectiveCToken]
  var index = 0
  var limit: Int
  var depth = 0
  /// The number of open `else`.
  var openAlternatives = 0
  /// The height of the last expression that was read in the current scope.
  var height = 0
  /// True in the middle of `a ? b : c`.
  var isInChoice = false
  /// True directly within `[a b:c]`, where a word before a colon is a label.
  var isInMessage = false
  /// True if `{` after an expression initialises it.
  var takesBraces = false
  var groups: [ObjectiveCConditionGroup]
  /// The groups by their first token, with inner groups first.
  let groupsByStart: [Int: [Int]]
  let conditions: [(token: Int, condition: String?)]
  var imports: [String]
  private(set) var skipped: [Skip] = []
  private var lastSkippedLine = -1
  /// True if skipped code is not recorded. This is the case in macros, because most of them are not
  /// complete code.
  private(set) var isQuiet = false
  /// True if anything was left out.
  private(set) var hasSkipped = false

  /// The maximum number of skips that are reported for a file.
  private static let mostSkips = 100

  init(_ lexer: consuming ObjectiveCLexer, path: String) {
    bytes = lexer.bytes
    self.path = path
    lines = lexer.lines
    isCPlusPlus = [".mm", ".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"]
      .contains(where: path.hasSuffix)
    names = lexer.names.texts
    tokens = lexer.tokens
    limit = lexer.tokens.count
    groups = lexer.groups
    var starts: [Int: [Int]] = [:]
    for (number, group) in lexer.groups.enumerated() {
      if let first = group.branches.first {
        starts[first.tokens.lowerBound, default: []].append(number)
      }
    }
    groupsByStart = starts
    conditions = lexer.conditions
    imports = lexer.imports
    for (offset, reason) in lexer.skipped { skip(offset: offset, reason) }
  }

  /// Returns a parser for the body of a macro, with the names of this file.
  func forMacro(_ macro: ObjectiveCMacro) -> ObjectiveCParser {
    var parser = self
    parser.tokens = macro.tokens
    parser.limit = macro.tokens.count
    parser.index = 0
    parser.isQuiet = true
    parser.hasSkipped = false
    parser.groups = []
    ObjectiveCBrackets.match(&parser.tokens)
    return parser
  }

  // MARK: - Looking

  @inline(__always) func kind(_ distance: Int = 0) -> Kind { kind(at: index + distance) }

  @inline(__always) func kind(at index: Int) -> Kind {
    index < limit ? tokens[index].kind : .end
  }

  /// The word at the cursor, or nil if the parser does not know it.
  @inline(__always) func word(_ distance: Int = 0) -> Word? { word(at: index + distance) }

  func word(at index: Int) -> Word? {
    kind(at: index) == .word ? Word(rawValue: tokens[index].value) : nil
  }

  func atWord(at index: Int) -> Word? {
    kind(at: index) == .atWord ? Word(rawValue: tokens[index].value) : nil
  }

  /// Returns true if a word may be a name here. Some words are only reserved in C++.
  func isName(_ word: Word) -> Bool {
    switch word {
    case .new, .delete, .operator, .throw, .this: !isCPlusPlus
    default: word.isName
    }
  }

  /// Returns the name of the word at this token.
  func name(at index: Int) -> String { names[Int(tokens[index].value)] }

  /// Returns the text of a token.
  func text(at index: Int) -> String {
    let token = tokens[index]
    if token.kind == .word { return names[Int(token.value)] }
    return String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }

  /// Returns the index of the token that ends the bracket at this token, or the limit if the
  /// limit comes first.
  func close(of index: Int) -> Int { max(index + 1, min(Int(tokens[index].value), limit)) }

  /// Returns the index of the first token after the bracket that opens at this token.
  func past(_ index: Int) -> Int {
    let end = close(of: index)
    return end < limit && Int(tokens[end].value) == index && tokens[end].kind.isClosing
      ? end + 1 : end
  }

  /// Returns the index of the token after the `>` that closes the `<` at this token, or nil if the
  /// tokens between the two cannot be types.
  func pastAngles(_ index: Int) -> Int? {
    var depth = 0
    var at = index
    while at < index + Self.lookAhead {
      switch kind(at: at) {
      case .less: depth += 1
      case .greater:
        depth -= 1
        if depth == 0 { return at + 1 }
      case .word, .star, .ampersand, .doubleAmpersand, .comma, .doubleColon, .number, .ellipsis,
        .caret:
        break
      case .openParen:
        at = past(at)
        continue
      default: return nil
      }
      at += 1
    }
    return nil
  }

  func offset(at index: Int) -> Int32 {
    if index < tokens.count { return tokens[index].start }
    return tokens.last?.end ?? 0
  }

  /// Returns the range from this token to the last token that was read.
  func range(from start: Int) -> Range<Int32> {
    let begin = offset(at: start)
    guard index > start, index <= tokens.count else { return begin..<begin }
    return begin..<max(begin, tokens[index - 1].end)
  }

  /// Returns the condition under which the code at this token is compiled, or nil if there is none.
  func condition(at token: Int) -> String? {
    var low = 0
    var high = conditions.count
    while low < high {
      let middle = (low + high) / 2
      if conditions[middle].token <= token { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? conditions[low - 1].condition : nil
  }

  // MARK: - Brackets

  struct Region {
    let limit: Int
    let past: Int
    let isInChoice: Bool
    let isInMessage: Bool
    let takesBraces: Bool
  }

  /// Enters the bracket at the cursor.
  mutating func enter() -> Region {
    let region = Region(
      limit: limit, past: past(index), isInChoice: isInChoice, isInMessage: isInMessage,
      takesBraces: takesBraces)
    limit = close(of: index)
    index += 1
    isInChoice = false
    isInMessage = false
    takesBraces = true
    return region
  }

  /// Leaves the bracket. Tokens in it that were not read are left out.
  mutating func leave(_ region: Region) {
    if index < limit { skip() }
    limit = region.limit
    index = region.past
    isInChoice = region.isInChoice
    isInMessage = region.isInMessage
    takesBraces = region.takesBraces
  }

  // MARK: - Skipped code

  /// Records that the token at the cursor is left out, at most once per line.
  mutating func skip(_ reason: String = "This code was not understood.") {
    skip(offset: offset(at: index), reason)
  }

  private mutating func skip(offset: Int32, _ reason: String) {
    hasSkipped = true
    guard !isQuiet, skipped.count < Self.mostSkips else { return }
    let line = lines.line(of: offset)
    guard line != lastSkippedLine else { return }
    lastSkippedLine = line
    skipped.append(Skip(path: path, line: line, reason: reason))
  }

  /// Leaves out the token at the cursor, with its contents if it is a bracket.
  mutating func skipToken() {
    skip()
    index = kind().closing == nil ? index + 1 : past(index)
  }

  // MARK: - Expressions

  /// Creates an expression that is one level higher than the expressions read in this scope. Above
  /// the maximum height, the result is an empty `.other`.
  mutating func make(_ kind: Expression.Kind, from start: Int) -> Expression {
    make(kind, range(from: start))
  }

  mutating func make(_ kind: Expression.Kind, _ range: Range<Int32>) -> Expression {
    height += 1
    guard height <= Self.highest else {
      skip(offset: range.lowerBound, "The expression is nested too deeply.")
      height = 1
      return Expression(.other([]), range)
    }
    return Expression(kind, range)
  }
}

extension ObjectiveCToken.Kind {
  var isClosing: Bool { self == .closeParen || self == .closeBracket || self == .closeBrace }
}
