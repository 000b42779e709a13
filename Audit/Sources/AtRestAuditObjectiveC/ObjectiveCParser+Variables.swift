import AtRestAuditModel

extension ObjectiveCParser {
  /// The parts that the declarators of one declaration share.
  struct DeclarationBase {
    let start: Int
    /// The token at which the type begins.
    let typeStart: Int
    /// The token after the type without its stars.
    let end: Int
    var isConstant = false
    var isStatic = false
    var attributes: [Attribute] = []
    /// The build condition, for a declaration outside of functions.
    var condition: String?
  }

  /// Reads a local declaration if one begins at the cursor.
  mutating func localVariables(
    into found: inout [Statement], takesSemicolon: Bool = true, isCondition: Bool = false
  ) -> Bool {
    var start = index
    guard var shape = typeShape(at: start) else { return false }
    if kind(at: shape.end) == .word, word(at: shape.end) == nil,
      Self.isMacroName(name(at: start)), shape.end == start + 1,
      let next = typeShape(at: shape.end), kind(at: next.end) == .word
    {
      // `SOME_ATTRIBUTE T *x`
      start = shape.end
      shape = next
    }
    guard declares(shape, isCondition: isCondition) else { return false }
    let base = DeclarationBase(
      start: start, typeStart: start, end: shape.base, isConstant: shape.isConstant,
      isStatic: shape.isStatic)
    index = shape.base
    let before = found.count
    var variables: [Variable] = []
    declarators(base, into: &variables)
    guard !variables.isEmpty else {
      index = start
      return false
    }
    found.reserveCapacity(before + variables.count)
    for variable in variables { found.append(.variable(variable)) }
    if takesSemicolon, kind() == .semicolon { index += 1 }
    return true
  }

  /// Returns true if a declarator follows a type.
  private func declares(_ shape: TypeShape, isCondition: Bool) -> Bool {
    if isCondition {
      // `while (a * b)` declares nothing.
      return kind(at: shape.end) == .word && kind(at: shape.end + 1) == .assign
    }
    if kind(at: shape.end) == .openParen {
      // `void (^name)(int)`
      guard kind(at: shape.end + 1) == .caret || kind(at: shape.end + 1) == .star else {
        return false
      }
      let end = past(shape.end)
      return shape.isSure && kind(at: end) == .openParen
        || kind(at: shape.end + 1) == .caret
    }
    if kind(at: shape.end) == .openBracket, isCPlusPlus, word(at: shape.base - 1) == .auto {
      return kind(at: past(shape.end)) == .assign || kind(at: past(shape.end)) == .colon
    }
    guard kind(at: shape.end) == .word, word(at: shape.end).map(isName) != false else {
      return false
    }
    switch kind(at: shape.end + 1) {
    case .assign, .semicolon, .comma, .openBracket, .end: return true
    case .openBrace: return isCPlusPlus
    case .openParen: return isCPlusPlus || shape.isSure
    case .colon: return isCPlusPlus
    case .word:
      return word(at: shape.end + 1)?.isQualifier == true
        || Self.isMacroName(name(at: shape.end + 1))
    default: return false
    }
  }

  /// Reads declarators as long as commas separate them.
  mutating func declarators(_ base: DeclarationBase, into found: inout [Variable]) {
    let type = typeText(base.typeStart, base.end)
    while index < limit {
      guard let variable = declarator(base, type, isFirst: found.isEmpty) else { return }
      found.append(variable)
      guard kind() == .comma else { return }
      index += 1
    }
  }

  private mutating func declarator(
    _ base: DeclarationBase, _ baseType: String?, isFirst: Bool
  ) -> Variable? {
    let mark = index
    var type = baseType
    var isConstant = base.isConstant
    while index < limit {
      if kind() == .star || kind() == .ampersand || kind() == .doubleAmpersand {
        index += 1
      } else if let word = word(), word.isQualifier {
        if word == .const { isConstant = true }
        index += 1
        if word.takesParens, kind() == .openParen { index = past(index) }
      } else {
        break
      }
    }
    let nameIndex: Int
    var hasWidth = false
    if kind() == .openParen {
      guard let inner = declaratorName(in: index) else {
        index = mark
        return nil
      }
      nameIndex = inner
      let symbol = text(at: index + 1)
      index = past(index)
      type = (type ?? "") + " (" + symbol + ")"
      if kind() == .openParen {
        let end = close(of: index)
        type = (type ?? "") + "(" + (typeText(index + 1, end) ?? "") + ")"
        index = past(index)
      }
    } else if kind() == .word {
      nameIndex = index
      index += 1
    } else if kind() == .openBracket, isCPlusPlus, isFirst {
      // `auto [a, b] = c`: the first name stands for all of them.
      nameIndex = index + 1
      guard kind(at: nameIndex) == .word else { return nil }
      index = past(index)
    } else {
      index = mark
      return nil
    }
    while kind() == .openBracket {
      let end = past(index)
      type = (type ?? "") + (typeText(index, end) ?? "[]")
      index = end
    }
    trailer: while index < limit {
      switch kind() {
      case .word:
        // These are attributes, unless a semicolon is missing and the next statement follows.
        guard word().map(\.isQualifier) ?? !tokens[index].isFirstOnLine else { break trailer }
        index += 1
        if kind() == .openParen { index = past(index) }
      case .colon where !hasWidth:
        // This is the width of a bit field.
        guard kind(1) == .number || kind(1) == .word else { break trailer }
        index += 2
        hasWidth = true
      default: break trailer
      }
    }
    var value: Expression?
    let braces = takesBraces
    takesBraces = true
    switch kind() {
    case .assign:
      index += 1
      value = expression()
      if value == nil, index < limit { skip() }
    case .openParen, .openBrace:
      let start = index
      let arguments = arguments()
      let name = Expression(
        .name(baseType ?? ""), range(from: start).lowerBound..<offset(at: start))
      value = make(.call(name, arguments), from: start)
    default: break
    }
    takesBraces = braces
    let begin = isFirst ? base.start : nameIndex
    return Variable(
      name: name(at: nameIndex), type: type, value: value, isConstant: isConstant,
      isStatic: base.isStatic, attributes: base.attributes, range: range(from: begin),
      nameOffset: offset(at: nameIndex), condition: base.condition)
  }

  /// Returns the index of the name in `(^name)`, `(*name[2])` and `(^ _Nullable name)`, or nil.
  func declaratorName(in open: Int) -> Int? {
    let end = close(of: open)
    guard [.caret, .star, .ampersand].contains(kind(at: open + 1)) else { return nil }
    var at = open + 2
    while at < end, at < open + Self.lookAhead {
      if kind(at: at) == .word, word(at: at)?.isQualifier != true { return at }
      at = kind(at: at) == .openParen && kind(at: at + 1) != .caret ? past(at) : at + 1
    }
    return nil
  }

  // MARK: - Parameters

  /// Reads the parameters in the parentheses at the cursor, which does not move.
  mutating func readParameters() -> [Parameter] {
    let outerIndex = index
    let region = enter()
    defer {
      index = limit
      leave(region)
      index = outerIndex
    }
    var found: [Parameter] = []
    while index < limit {
      let start = index
      var end = index
      var value = -1
      while end < limit, kind(at: end) != .comma {
        if kind(at: end) == .assign, value < 0 { value = end }
        if kind(at: end) == .less, let past = pastAngles(end) {
          end = past
        } else {
          end = kind(at: end).closing == nil ? end + 1 : past(end)
        }
      }
      if let parameter = parameter(start, value < 0 ? end : value, value: value, end: end) {
        found.append(parameter)
      }
      index = end + 1
    }
    return found
  }

  private mutating func parameter(
    _ start: Int, _ end: Int, value: Int, end full: Int
  ) -> Parameter? {
    guard end > start else { return nil }
    if end == start + 1, word(at: start) == .void || kind(at: start) == .ellipsis { return nil }
    var initial: Expression?
    if value >= 0 {
      let outer = (index, limit)
      index = value + 1
      limit = full
      initial = expression()
      (index, limit) = outer
    }
    // `void (^name)(int)`
    var at = start
    while at < end, at < start + Self.lookAhead {
      if kind(at: at) == .openParen, [.caret, .star].contains(kind(at: at + 1)) {
        let type = (typeText(start, at) ?? "") + " (" + text(at: at + 1) + ")"
        let after = past(at)
        let parameters =
          after < end && kind(at: after) == .openParen
          ? "(" + (typeText(after + 1, close(of: after)) ?? "") + ")" : ""
        let inner = declaratorName(in: at)
        return Parameter(
          label: nil, name: inner.map { name(at: $0) } ?? "", type: type + parameters,
          value: initial, nameOffset: offset(at: inner ?? at))
      }
      at += 1
    }
    var last = end - 1
    var suffix = ""
    while last > start, kind(at: last) == .closeBracket, Int(tokens[last].value) > start {
      let open = Int(tokens[last].value)
      suffix = (typeText(open, last + 1) ?? "[]") + suffix
      last = open - 1
    }
    while last > start, kind(at: last) == .word, word(at: last)?.isQualifier == true { last -= 1 }
    let isNamed =
      kind(at: last) == .word && last > start && word(at: last).map(isName) != false
      && kind(at: last - 1) != .doubleColon
      && !(last == start + 1 && [.struct, .union, .enum, .const].contains(word(at: start)))
    guard isNamed else {
      return Parameter(
        label: nil, name: "", type: typeText(start, end), value: initial,
        nameOffset: offset(at: start))
    }
    return Parameter(
      label: nil, name: name(at: last), type: typeText(start, last).map { $0 + suffix },
      value: initial, nameOffset: offset(at: last))
  }
}
