import AtRestAuditModel

extension ObjectiveCParser {
  /// The maximum number of consecutive operands that are folded into each other. Further operands
  /// are read as siblings.
  private static let longestChain = 100

  /// Reads an expression up to a comma. If none begins here, returns nil and leaves the cursor
  /// where it was.
  mutating func expression() -> Expression? {
    guard depth < Self.deepest else { return tooDeep() }
    depth += 1
    let outerHeight = height
    height = 0
    defer {
      depth -= 1
      height = max(height, outerHeight)
    }
    let start = index
    guard var left = unary() else { return nil }
    var chain = 0
    var rest: [Expression] = []
    while true {
      switch kind() {
      case .assign, .compoundAssign:
        return assignment(to: beside(left, rest, from: start), from: start)
      case .greater
      where kind(1) == .between && text(at: index + 1) == ">="
        && areAdjacent(index):
        // `>>=`
        index += 1
        return assignment(to: beside(left, rest, from: start), operator: ">>=", from: start)
      case .question:
        return choice(beside(left, rest, from: start), from: start)
      case .plus, .minus, .star, .ampersand, .doubleAmpersand, .caret, .less, .greater, .between:
        let mark = index
        var symbol = text(at: index)
        if kind() == .greater, kind(1) == .greater, areAdjacent(index) {
          index += 1
          symbol = ">>"
        }
        index += 1
        guard let right = unary() else {
          // `va_arg(list, char *)`
          if tokens[mark].kind != .star || index < limit && kind() != .comma {
            index = mark
            skip()
            index = mark + 1
          }
          return beside(left, rest, from: start)
        }
        chain += 1
        if chain > Self.longestChain {
          rest.append(right)
        } else {
          left = make(.binary(left, operator: symbol, right), from: start)
        }
      default: return beside(left, rest, from: start)
      }
    }
  }

  private func areAdjacent(_ index: Int) -> Bool { tokens[index].end == tokens[index + 1].start }

  private mutating func beside(
    _ left: Expression, _ rest: [Expression], from start: Int
  ) -> Expression {
    rest.isEmpty ? left : make(.other([left] + rest), from: start)
  }

  private mutating func assignment(
    to left: Expression, operator symbol: String? = nil, from start: Int
  ) -> Expression {
    let symbol = symbol ?? text(at: index)
    index += 1
    let braces = takesBraces
    takesBraces = true
    defer { takesBraces = braces }
    guard let right = expression() else {
      index -= 1
      skip()
      index += 1
      return left
    }
    return make(.assignment(left, operator: symbol, right), from: start)
  }

  /// Reads `a ? b : c`. `a ?: b` becomes `a ?? b`, as in Swift.
  private mutating func choice(_ left: Expression, from start: Int) -> Expression {
    index += 1
    if kind() == .colon {
      index += 1
      guard let right = expression() else { return left }
      return make(.binary(left, operator: "??", right), from: start)
    }
    let outer = isInChoice
    isInChoice = true
    let first = expression()
    isInChoice = outer
    var branches = first.map { [$0] } ?? []
    if kind() == .colon {
      index += 1
      if let second = expression() { branches.append(second) }
    }
    return make(.choice(left, branches), from: start)
  }

  /// Leaves out an operand below the deepest level.
  mutating func tooDeep() -> Expression? {
    guard index < limit, kind().closing != nil || kind() == .word else { return nil }
    let start = index
    skip("The code is nested too deeply.")
    index = kind().closing == nil ? index + 1 : past(index)
    height = max(height, 1)
    return Expression(.other([]), range(from: start))
  }

  // MARK: - Operands

  private enum Prefix {
    case symbol(Int)
    case cast(type: String, at: Int)
    /// A cast that does not matter to the rules.
    case noise(Int)
  }

  /// Reads an operand with the operators before it.
  mutating func unary() -> Expression? {
    let outerHeight = height
    height = 0
    defer { height = max(height, outerHeight) }
    var prefixes: [Prefix] = []
    let start = index
    scan: while index < limit {
      switch kind() {
      case .not, .complement, .minus, .plus, .star, .ampersand, .step, .doubleAmpersand:
        prefixes.append(.symbol(index))
        index += 1
      case .openParen:
        guard let cast = cast() else { break scan }
        let mark = index
        index = past(index)
        prefixes.append(cast.map { .cast(type: $0, at: mark) } ?? .noise(mark))
      case .word:
        switch word() {
        case .__extension__: index += 1
        case .throw where isCPlusPlus, .delete where isCPlusPlus:
          index += 1
          if kind() == .openBracket, kind(1) == .closeBracket { index += 2 }
        default: break scan
        }
      default: break scan
      }
    }
    guard var operand = postfix() else {
      return index > start ? make(.other([]), from: start) : nil
    }
    for prefix in prefixes.reversed() {
      switch prefix {
      case .symbol(let mark):
        if case .number(let digits) = operand.kind, tokens[mark].kind == .minus {
          operand = Expression(.number("-" + digits), range(from: mark))
        } else if tokens[mark].kind != .plus {
          operand = make(.prefix(operator: text(at: mark), operand), from: mark)
        }
      case .cast(let type, let mark): operand = make(.cast(operand, type: type), from: mark)
      case .noise: break
      }
    }
    return operand
  }

  /// Returns the type of the cast at this parenthesis, or an inner nil if the type is not a class.
  /// If no cast begins here, the result itself is nil.
  private func cast() -> String?? {
    let end = close(of: index)
    guard end < limit, end - index <= Self.lookAhead, var shape = typeShape(at: index + 1) else {
      return nil
    }
    if shape.end < end, kind(at: shape.end) == .openParen,
      [.caret, .star].contains(kind(at: shape.end + 1))
    {
      // `(void (^)(int))`
      shape.end = past(shape.end)
      shape.isSure = true
      if shape.end < end, kind(at: shape.end) == .openParen { shape.end = past(shape.end) }
    }
    while shape.end < end, kind(at: shape.end) == .openBracket { shape.end = past(shape.end) }
    guard shape.end == end else { return nil }
    switch kind(at: end + 1) {
    case .word:
      if word(at: end + 1) == .in { return nil }
      if isInMessage, !isInChoice {
        // `[a b:(c) d:e]` and `[(c) d]`.
        let next = kind(at: end + 2)
        if next == .colon || next == .doubleColon { return nil }
        if next == .end, !shape.isSure, index > 0, tokens[index - 1].kind == .openBracket {
          return nil
        }
      }
    case .number, .string, .objectString, .character, .at, .atWord, .not, .complement: break
    case .openBrace: guard shape.isSure || startsWithCapital(index + 1) else { return nil }
    case .openParen, .openBracket:
      guard shape.isSure || startsWithCapital(index + 1) else { return nil }
    case .minus, .plus, .star, .ampersand, .caret, .step: guard shape.isSure else { return nil }
    default: return nil
    }
    return .some(telling(shape, end))
  }

  private func startsWithCapital(_ at: Int) -> Bool {
    bytes[Int(tokens[at].start)] &- UInt8(ascii: "A") < 26
  }

  /// Returns the type of a cast, or nil if the type is not a class.
  private func telling(_ shape: TypeShape, _ end: Int) -> String? {
    guard kind(at: end - 1) == .star || word(at: end - 1)?.isQualifier == true,
      let text = typeText(index + 1, end), let first = text.utf8.first,
      first &- UInt8(ascii: "A") < 26, !text.hasPrefix("CF"), !text.hasSuffix("Ref")
    else { return nil }
    return text
  }

  /// Reads an operand with the members, calls and indices after it.
  private mutating func postfix() -> Expression? {
    let start = index
    guard var base = primary() else { return nil }
    while true {
      switch kind() {
      case .dot, .arrow, .doubleColon:
        guard kind(1) == .word else {
          if kind() == .doubleColon { return base }
          skip()
          index += 1
          continue
        }
        let name = name(at: index + 1)
        index += 2
        base = make(.member(base, name), from: start)
      case .openParen:
        let arguments = arguments()
        base = make(.call(base, arguments), from: start)
      case .openBracket:
        let arguments = arguments()
        base = make(.index(base, arguments), from: start)
      case .openBrace where takesBraces:
        let arguments = arguments()
        base = make(.call(base, arguments), from: start)
      case .step:
        let symbol = text(at: index)
        index += 1
        base = make(.prefix(operator: symbol, base), from: start)
      case .less where isCPlusPlus:
        guard let past = pastAngles(index),
          [.openParen, .doubleColon, .openBrace].contains(kind(at: past))
        else { return base }
        index = past
      default: return base
      }
    }
  }

  /// Reads the arguments in the brackets at the cursor, separated by commas.
  mutating func arguments() -> [Argument] {
    let region = enter()
    defer { leave(region) }
    return list().map { Argument(nil, $0) }
  }

  /// Reads expressions up to the end of the bracket, including those without a comma between them.
  mutating func list() -> [Expression] {
    var found: [Expression] = []
    while index < limit {
      // The colons belong to a selector that a macro takes.
      if kind() == .comma || kind() == .semicolon || kind() == .colon {
        index += 1
      } else if let type = typeArgument() {
        found.append(type)
      } else if let expression = expression() {
        found.append(expression)
      } else if kind() == .ellipsis {
        index += 1
      } else {
        skipToken()
      }
    }
    return found
  }

  /// Reads a type in the place of an argument: `va_arg(list, char *)`, `offsetof(struct a, b)`.
  private mutating func typeArgument() -> Expression? {
    guard kind() == .word, let word = word(), !word.isName || word == .struct, !isValue(word),
      let shape = typeShape(at: index), shape.isSure,
      kind(at: shape.end) == .comma || shape.end >= limit
    else { return nil }
    let start = index
    let type = typeText(start, shape.end) ?? ""
    index = shape.end
    return make(.name(type), from: start)
  }

  private func isValue(_ word: Word) -> Bool {
    switch word {
    case .self, .super, .nil, .Nil, .NULL, .nullptr, .YES, .NO, .true, .false, .TRUE, .FALSE, .new,
      .sizeof, .this, .out:
      true
    default: false
    }
  }

  // MARK: - Atoms

  private mutating func primary() -> Expression? {
    let start = index
    switch kind() {
    case .word: return wordExpression()
    case .number: return taken(.number(Self.withoutSuffix(text(at: start))))
    case .string, .objectString, .character: return strings()
    case .at:
      index += 1
      return boxed(from: start)
    case .atWord: return atExpression()
    case .openParen: return kind(1) == .openBrace ? statementExpression() : parenthesised()
    case .openBracket: return startsLambda ? lambda() : message()
    case .openBrace:
      let region = enter()
      let elements = list()
      leave(region)
      return make(.array(elements), from: start)
    case .caret: return block()
    case .dot:
      // `{ .name = value }`
      guard kind(1) == .word else { return nil }
      index += 2
      return make(.member(nil, name(at: start + 1)), from: start)
    case .doubleColon:
      guard kind(1) == .word else { return nil }
      index += 1
      return wordExpression()
    default: return nil
    }
  }

  /// The expression that the token at hand is by itself.
  private mutating func taken(_ kind: Expression.Kind) -> Expression {
    index += 1
    return make(kind, from: index - 1)
  }

  private mutating func wordExpression() -> Expression? {
    let start = index
    guard let word = word() else {
      if kind(1) == .objectString || kind(1) == .string { return strings() }
      return taken(.name(name(at: start)))
    }
    switch word {
    case .YES, .true, .TRUE: return taken(.boolean(true))
    case .NO, .false, .FALSE: return taken(.boolean(false))
    case .nil, .Nil, .NULL, .nullptr: return taken(.null)
    case .this: return taken(.name(isCPlusPlus ? "self" : "this"))
    case .sizeof, .alignof, ._Alignof, .__alignof__, .typeof, .__typeof, .__typeof__, .decltype:
      index += 1
      let name = make(.name(name(at: start)), from: start)
      guard kind() == .openParen, let type = typeInParens() else { return name }
      return make(.call(name, [Argument(nil, type)]), from: start)
    case .new where isCPlusPlus && kind(1) != .assign:
      index += 1
      guard let shape = typeShape(at: index) else { return make(.name("new"), from: start) }
      let type = typeText(index, shape.end) ?? "new"
      index = shape.end
      return make(.name(type), from: start)
    case .operator where isCPlusPlus:
      index += 1
      while index < limit, kind() != .openParen, kind() != .word { index += 1 }
      return make(.name("operator"), from: start)
    case .if, .else, .for, .while, .do, .switch, .case, .default, .return, .break, .continue, .goto,
      .typedef:
      return nil
    default: return taken(.name(name(at: start)))
    }
  }

  /// Reads the parentheses at the cursor if they contain only a type. Otherwise returns nil.
  private mutating func typeInParens() -> Expression? {
    guard let shape = typeShape(at: index + 1), shape.isSure else { return nil }
    let end = close(of: index)
    guard shape.end == end || kind(at: shape.end) == .openBracket else { return nil }
    let start = index + 1
    let type = typeText(start, shape.end) ?? ""
    let inner = offset(at: start)..<max(offset(at: start), tokens[shape.end - 1].end)
    index = past(index)
    return make(.name(type), inner)
  }

  private mutating func parenthesised() -> Expression {
    let start = index
    let region = enter()
    let parts = list()
    leave(region)
    if parts.count == 1 { return parts[0] }
    return make(.other(parts), from: start)
  }

  /// Reads `({ … })` as a closure that is called immediately.
  private mutating func statementExpression() -> Expression {
    let start = index
    let region = enter()
    let body = closureBody()
    let closure = make(.closure(Closure(parameters: [], body: body)), from: start + 1)
    leave(region)
    return make(.call(closure, []), from: start)
  }

  /// Returns `10000u` and `1.5f` without their suffix.
  private static func withoutSuffix(_ text: String) -> String {
    guard let last = text.utf8.last else { return text }
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    switch last {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return text
    case UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "l"), UInt8(ascii: "L"):
      return String(text.prefix { !"uUlL".contains($0) })
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      return isHexadecimal ? text : String(text.dropLast())
    default: return text
    }
  }

  // MARK: - Blocks and lambdas

  /// Reads `^{ }`, `^(T x){ }` and `^T (U x){ }`.
  private mutating func block() -> Expression? {
    let start = index
    var at = index + 1
    var parameters: [Parameter] = []
    while at < limit, at < start + Self.lookAhead, kind(at: at) != .openBrace {
      switch kind(at: at) {
      case .openParen:
        if [.caret, .star].contains(kind(at: at + 1)) {
          at = past(at)
          continue
        }
        let outer = index
        index = at
        parameters = readParameters()
        index = outer
        at = past(at)
      case .word where word(at: at)?.takesParens == true && kind(at: at + 1) == .openParen:
        at = past(at + 1)
      case .less:
        guard let past = pastAngles(at) else { return nil }
        at = past
      case .word, .star: at += 1
      default: return nil
      }
    }
    guard kind(at: at) == .openBrace else { return nil }
    index = at
    return closure(parameters.map(\.name), from: start)
  }

  private var startsLambda: Bool {
    let past = past(index)
    guard kind(at: past) == .openParen || kind(at: past) == .openBrace else { return false }
    switch kind(1) {
    case .closeBracket, .assign, .ampersand: return true
    case .word: return isCPlusPlus && [.closeBracket, .comma].contains(kind(2))
    default: return false
    }
  }

  /// Reads `[captures](T x) -> U { }`.
  private mutating func lambda() -> Expression? {
    let start = index
    index = past(index)
    var parameters: [Parameter] = []
    if kind() == .openParen {
      parameters = readParameters()
      index = past(index)
    }
    let last = index + Self.lookAhead
    while index < limit, index < last, kind() != .openBrace { index += 1 }
    guard kind() == .openBrace else { return make(.other([]), from: start) }
    return closure(parameters.map(\.name), from: start)
  }

  private mutating func closure(_ parameters: [String], from start: Int) -> Expression {
    let body = closureBody()
    return make(.closure(Closure(parameters: parameters, body: body)), from: start)
  }

  /// Reads the block at the cursor. The height of a block is that of its highest expression.
  private mutating func closureBody() -> Block {
    let outerHeight = height
    height = 0
    let body = readBlock()
    height = max(height, outerHeight)
    return body
  }
}
