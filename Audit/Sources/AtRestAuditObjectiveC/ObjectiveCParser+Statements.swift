import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads the statements in the braces at the cursor.
  mutating func readBlock() -> Block {
    let region = enter()
    defer { leave(region) }
    return Block(statements())
  }

  /// Reads statements up to the limit.
  mutating func statements() -> [Statement] {
    var found: [Statement] = []
    takesBraces = false
    isInChoice = false
    isInMessage = false
    while index < limit {
      if tokens[index].startsCondition, readCondition(into: &found) { continue }
      statement(into: &found)
    }
    return found
  }

  /// Reads the code within `#if` if it consists of whole statements. Otherwise the caller reads
  /// both branches as if the `#if` were absent.
  private mutating func readCondition(into found: inout [Statement]) -> Bool {
    guard let numbers = groupsByStart[index] else { return false }
    for number in numbers.reversed() where number < groups.count && !groups[number].isHandled {
      groups[number].isHandled = true
      let group = groups[number]
      guard group.isBalanced, group.end <= limit, group.branches.allSatisfy(holdsStatements) else {
        continue
      }
      let outer = limit
      for branch in group.branches {
        index = branch.tokens.lowerBound
        limit = branch.tokens.upperBound
        let block = statements()
        limit = outer
        guard !block.isEmpty else { continue }
        if let condition = branch.condition {
          found.append(.conditional(condition, Block(block)))
        } else {
          found += block
        }
      }
      index = group.end
      return true
    }
    return false
  }

  private func holdsStatements(_ branch: ObjectiveCConditionGroup.Branch) -> Bool {
    switch Word(rawValue: tokens[branch.tokens.lowerBound].value) {
    case .case, .default, .else:
      if tokens[branch.tokens.lowerBound].kind == .word { return false }
    default: break
    }
    switch tokens[branch.tokens.upperBound - 1].kind {
    case .semicolon, .closeBrace: return true
    // This is a macro that ends with its line, unless the statement continues after `#endif`.
    case .closeParen, .closeBracket, .word:
      return kind(at: branch.tokens.upperBound) != .semicolon
        && tokens[branch.tokens.lowerBound].kind == .word
    default: return false
    }
  }

  /// Reads a block, or a single statement as a block.
  private mutating func body() -> Block {
    if kind() == .openBrace {
      let block = readBlock()
      return block
    }
    var found: [Statement] = []
    guard index < limit else { return Block() }
    if tokens[index].startsCondition, readCondition(into: &found) { return Block(found) }
    statement(into: &found)
    return Block(found)
  }

  /// Reads one statement, which can become several statements in the model, or none.
  mutating func statement(into found: inout [Statement]) {
    guard depth < Self.deepest else {
      skip("The code is nested too deeply.")
      skipStatement()
      return
    }
    depth += 1
    defer { depth -= 1 }
    let start = index
    switch kind() {
    case .semicolon, .colon: index += 1
    case .openBrace: found.append(.block(readBlock()))
    case .closeBrace, .closeParen, .closeBracket:
      skip()
      index += 1
    case .atWord: atStatement(into: &found)
    case .word:
      if let word = word(), control(word, into: &found) { return }
      if kind(1) == .colon, !isInChoice {
        // This is a label.
        index += 2
      } else if !localVariables(into: &found) {
        expressionStatement(into: &found)
      }
    default: expressionStatement(into: &found)
    }
    if index == start { skipToken() }
  }

  private mutating func expressionStatement(into found: inout [Statement]) {
    guard let expression = expression() else { return }
    found.append(.expression(expression))
    while kind() == .comma {
      index += 1
      guard let next = self.expression() else { break }
      found.append(.expression(next))
    }
    if kind() == .semicolon { index += 1 }
  }

  private mutating func skipStatement() {
    while index < limit {
      switch kind() {
      case .semicolon:
        index += 1
        return
      case .openBrace:
        index = past(index)
        return
      case .openParen, .openBracket: index = past(index)
      default: index += 1
      }
    }
  }

  // MARK: - Control

  private mutating func control(_ word: Word, into found: inout [Statement]) -> Bool {
    switch word {
    case .if: found.append(branch())
    case .while:
      index += 1
      let conditions = header()
      found.append(.branch(conditions, body(), otherwise: nil))
    case .for: loop(into: &found)
    case .do:
      index += 1
      var statements = body().statements
      if self.word() == .while {
        index += 1
        statements += header()
      }
      if kind() == .semicolon { index += 1 }
      found.append(.block(Block(statements)))
    case .switch: found.append(selection())
    case .return:
      index += 1
      takesBraces = true
      let value = expression()
      takesBraces = false
      found.append(.returns(value))
      while kind() == .comma {
        index += 1
        if let next = expression() { found.append(.expression(next)) } else { break }
      }
      if kind() == .semicolon { index += 1 }
    case .break, .continue:
      index += 1
      if kind() == .semicolon { index += 1 }
    case .goto:
      index += 1
      skipToSemicolon()
    case .asm, .__asm, .__asm__:
      index += 1
      skipToSemicolon()
    case .else: index += 1
    case .case, .default:
      // The label is after a macro or in a block of its own, so only the label is skipped.
      guard word == .case || kind(1) == .colon else { return false }
      index += 1
      if word == .case { _ = self.expression() }
      if kind() == .colon { index += 1 }
    case .try where kind(1) == .openBrace || kind(1) == .colon:
      index += 1
      if kind() == .openBrace { found.append(.block(readBlock())) }
    case .catch where kind(1) == .openParen && kind(at: past(index + 1)) == .openBrace:
      catchClause(into: &found)
    case .typedef, .using, .template, .static_assert, ._Static_assert, .namespace:
      guard word == .typedef || kind(1) == .word || kind(1) == .less || kind(1) == .openParen else {
        return false
      }
      localTypes(into: &found)
    case .struct, .union, .enum, .class:
      guard kind(1) == .openBrace || kind(1) == .word && [.openBrace, .colon].contains(kind(2))
      else { return false }
      localTypes(into: &found)
    default: return false
    }
    return true
  }

  private mutating func localTypes(into found: inout [Statement]) {
    var members = Members()
    let mark = index
    declaration(into: &members)
    if index == mark { skipToken() }
    found += members.types.map { .type($0) }
    found += members.variables.map { .variable($0) }
    found += members.functions.map { .function($0) }
    found += members.statements
  }

  private mutating func skipToSemicolon() {
    while index < limit, kind() != .semicolon {
      index = kind().closing == nil ? index + 1 : past(index)
    }
    if index < limit { index += 1 }
  }

  /// Reads the contents of the parentheses at the cursor, up to their end.
  private mutating func header() -> [Statement] {
    if word() == .constexpr { index += 1 }
    guard kind() == .openParen else {
      // `if LIKELY(x) {`
      guard let expression = expression() else { return [] }
      return [.expression(expression)]
    }
    let region = enter()
    defer { leave(region) }
    return headerStatements()
  }

  /// Reads the declarations and expressions of a header, separated by commas and semicolons.
  private mutating func headerStatements() -> [Statement] {
    var found: [Statement] = []
    while index < limit {
      if kind() == .comma || kind() == .semicolon {
        index += 1
      } else if kind() == .word,
        localVariables(into: &found, takesSemicolon: false, isCondition: true)
      {
        continue
      } else if let expression = expression() {
        found.append(.expression(expression))
      } else {
        skipToken()
      }
    }
    return found
  }

  /// The maximum number of nested `else if`. The parser reads them in a loop, but code that walks
  /// the model recurses. Beyond the maximum, `else if` becomes a statement of its own.
  private static let mostAlternatives = 200

  private mutating func branch() -> Statement {
    index += 1
    let outerAlternatives = openAlternatives
    defer { openAlternatives = outerAlternatives }
    var alternatives = [(header(), body())]
    var otherwise: Block?
    while word() == .else, openAlternatives < Self.mostAlternatives {
      index += 1
      openAlternatives += 1
      guard word() == .if else {
        otherwise = body()
        break
      }
      index += 1
      alternatives.append((header(), body()))
    }
    var statement: Statement?
    for (conditions, then) in alternatives.reversed() {
      statement = .branch(
        conditions, then, otherwise: statement.map { Block([$0]) } ?? otherwise)
    }
    return statement ?? .block(Block())
  }

  private mutating func loop(into found: inout [Statement]) {
    index += 1
    guard kind() == .openParen else { return }
    let region = enter()
    var separator = -1
    var hasSemicolon = false
    var at = index
    while at < limit {
      switch kind(at: at) {
      case .semicolon:
        hasSemicolon = true
        at = limit
        continue
      case .word where separator < 0 && word(at: at) == .in: separator = at
      case .colon where separator < 0: separator = at
      case .question: separator = Int.max
      default: break
      }
      at = kind(at: at).closing == nil ? at + 1 : past(at)
    }
    if !hasSemicolon, separator > index, separator < limit {
      var names: [String] = []
      if kind(at: separator - 1) == .word { names = [name(at: separator - 1)] }
      if kind(at: separator - 1) == .closeBracket {
        // `auto [a, b] : c`
        let open = Int(tokens[separator - 1].value)
        if open > index {
          names = (open..<separator).filter { kind(at: $0) == .word }.map { name(at: $0) }
        }
      }
      index = separator + 1
      let start = index
      let sequence = expression()
      leave(region)
      let body = body()
      found.append(
        .loop(names, sequence ?? Expression(.other([]), range(from: start)), body))
      return
    }
    // The parts of a C loop: the code that runs once, the condition, and the code that runs each
    // time.
    var parts: [[Statement]] = [[], [], []]
    var part = 0
    while index < limit {
      if kind() == .semicolon {
        index += 1
        part = min(part + 1, 2)
      } else if kind() == .comma {
        index += 1
      } else if part == 0, kind() == .word,
        localVariables(into: &parts[0], takesSemicolon: false)
      {
        continue
      } else if let expression = expression() {
        parts[part].append(.expression(expression))
      } else {
        skipToken()
      }
    }
    leave(region)
    let body = body()
    let loop = Statement.branch(parts[1], Block(body.statements + parts[2]), otherwise: nil)
    found.append(.block(Block(parts[0] + [loop])))
  }

  private mutating func selection() -> Statement {
    index += 1
    let start = index
    let subjects = header()
    var subject: Expression?
    for case .expression(let expression) in subjects { subject = expression }
    var cases: [Statement.Case] = []
    var patterns: [Expression] = []
    if kind() == .openBrace {
      let region = enter()
      takesBraces = false
      var body: [Statement] = []
      var hasLabel = false
      while index < limit {
        let isLabel =
          word() == .case || word() == .default && kind(1) == .colon
        guard isLabel else {
          if tokens[index].startsCondition, readCondition(into: &body) { continue }
          statement(into: &body)
          continue
        }
        if !body.isEmpty {
          cases.append(.init(patterns, Block(body)))
          body = []
          patterns = []
        }
        hasLabel = true
        if word() == .case {
          index += 1
          if let pattern = expression() { patterns.append(pattern) }
          if kind() == .ellipsis {
            index += 1
            if let last = expression() { patterns.append(last) }
          }
        } else {
          index += 1
        }
        if kind() == .colon { index += 1 }
      }
      if hasLabel || !body.isEmpty { cases.append(.init(patterns, Block(body))) }
      leave(region)
    }
    return .selection(subject ?? Expression(.other([]), range(from: start)), cases)
  }

  // MARK: - Exceptions and pools

  private mutating func atStatement(into found: inout [Statement]) {
    switch atWord(at: index) {
    case .try, .finally, .autoreleasepool:
      index += 1
      if kind() == .openBrace { found.append(.block(readBlock())) }
    case .synchronized:
      index += 1
      let subjects = header()
      found.append(.block(Block(subjects + body().statements)))
    case .catch: catchClause(into: &found)
    case .throw:
      index += 1
      expressionStatement(into: &found)
      if kind() == .semicolon { index += 1 }
    case .import:
      index += 1
      skipToSemicolon()
    default: expressionStatement(into: &found)
    }
  }

  /// Reads `@catch (T *x) { }` and `catch (const T &x) { }`.
  private mutating func catchClause(into found: inout [Statement]) {
    index += 1
    var bound: [Statement] = []
    if kind() == .openParen {
      let start = index
      for parameter in readParameters() where !parameter.name.isEmpty {
        let end = max(offset(at: start), parameter.nameOffset + Int32(parameter.name.utf8.count))
        bound.append(
          .variable(
            Variable(
              name: parameter.name, type: parameter.type, range: offset(at: start + 1)..<end,
              nameOffset: parameter.nameOffset)))
      }
      index = past(index)
    }
    if kind() == .openBrace { found.append(.block(Block(bound + readBlock().statements))) }
  }
}
