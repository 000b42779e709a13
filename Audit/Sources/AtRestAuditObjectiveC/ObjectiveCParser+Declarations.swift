import AtRestAuditModel

extension ObjectiveCParser {
  /// The declarations and statements of a file, a class or a struct.
  struct Members {
    var types: [TypeDeclaration] = []
    var functions: [Function] = []
    var variables: [Variable] = []
    var cases: [Variable] = []
    var statements: [Statement] = []
  }

  /// Reads declarations up to the limit.
  mutating func declarations(into members: inout Members) {
    while index < limit {
      let start = index
      declaration(into: &members)
      if index == start { skipToken() }
    }
  }

  /// Reads one declaration, or skips one token if no declaration begins there.
  mutating func declaration(into members: inout Members) {
    guard depth < Self.deepest else {
      skipToken()
      return
    }
    depth += 1
    defer { depth -= 1 }
    switch kind() {
    case .semicolon: index += 1
    // This ends a namespace, or a function whose beginning is in a macro.
    case .closeBrace: index += 1
    case .atWord: atDeclaration(into: &members)
    case .plus, .minus: method(into: &members)
    case .word, .doubleColon, .complement: wordDeclaration(into: &members)
    case .openBrace: members.statements.append(.block(readBlock()))
    case .openBracket where kind(1) == .openBracket: index = past(index)
    default: statement(into: &members.statements)
    }
  }

  private mutating func wordDeclaration(into members: inout Members) {
    switch word() {
    case .typedef:
      index += 1
      typeDefinition(into: &members)
    case .NS_ENUM, .NS_OPTIONS, .NS_CLOSED_ENUM, .NS_ERROR_ENUM, .CF_ENUM, .CF_OPTIONS,
      .CF_CLOSED_ENUM:
      if !macroEnumeration(from: index, into: &members) { cDeclaration(into: &members) }
    case .struct, .union, .enum, .class:
      if !compound(from: index, into: &members) { cDeclaration(into: &members) }
    case .namespace:
      // The contents are read as if they were outside the namespace. The closing brace is skipped.
      index += 1
      while index < limit, kind() == .word || kind() == .doubleColon { index += 1 }
      if kind() == .openBrace { index += 1 } else { toSemicolon() }
    case .extern where kind(1) == .string:
      index += 2
      if kind() == .openBrace { index += 1 }
    case .template where kind(1) == .less:
      index = pastAngles(index + 1) ?? index + 1
    case .using, .static_assert, ._Static_assert, .friend:
      toSemicolon()
    case .public, .private, .protected, .signals:
      index += 1
      if kind() == .word, kind(1) == .colon { index += 1 }
      if kind() == .colon { index += 1 }
    default: cDeclaration(into: &members)
    }
  }

  /// Skips past the next semicolon that is not in brackets.
  mutating func toSemicolon() {
    while index < limit, kind() != .semicolon {
      if kind() == .atWord, [.end, .interface, .implementation].contains(atWord(at: index)) {
        return
      }
      index = kind().closing == nil ? index + 1 : past(index)
    }
    if index < limit { index += 1 }
  }

  // MARK: - Functions and variables

  /// Reads a function, its prototype, variables, or a macro on its own.
  mutating func cDeclaration(into members: inout Members) {
    let start = index
    var at = index
    var words: [Int] = []
    var firstStar = -1
    var isConstant = false
    var isStatic = false
    let stop = min(limit, start + Self.lookAhead * 2)
    scan: while at < stop {
      switch kind(at: at) {
      case .word:
        let word = word(at: at)
        if word == .operator {
          words.append(at)
          at += 1
          if kind(at: at) == .openParen { at = past(at) }
          while at < stop, kind(at: at) != .openParen, kind(at: at) != .semicolon { at += 1 }
          continue
        }
        if let word, word.isQualifier {
          if word == .static { isStatic = true }
          if word == .const || word == .constexpr { isConstant = true }
          at += 1
          if word.takesParens, kind(at: at) == .openParen { at = past(at) }
          continue
        }
        if let word, [.typeof, .__typeof, .__typeof__, .decltype].contains(word),
          kind(at: at + 1) == .openParen
        {
          words.append(at)
          at = past(at + 1)
          continue
        }
        // These are `X NS_SWIFT_NAME(y)` and `API_AVAILABLE(ios(9)) T x`.
        if kind(at: at + 1) == .openParen, Self.isMacroName(name(at: at)) {
          let after = kind(at: past(at + 1))
          let isBody = after == .openBrace
          let trails = words.count >= 2 && !isBody && isPlainName(words[words.count - 1])
          let leads = words.isEmpty && startsDeclaration(past(at + 1))
          if trails || leads {
            at = past(at + 1)
            guard leads else { continue }
            index = at
            return
          }
        }
        let isAlone =
          words.count == 1 && firstStar < 0 && tokens[at].isFirstOnLine
          && Self.isMacroName(name(at: words[0]))
        if isAlone || word == .typedef || word == .template || word == .using, !words.isEmpty {
          // This is `NS_ASSUME_NONNULL_BEGIN`, followed by the next declaration.
          index = at
          return
        }
        words.append(at)
        at += 1
      case .openParen
      where words.count == 1 && firstStar < 0 && kind(at: past(at)) == .star
        && kind(at: at + 1) == .word:
        // `ArrayOf(T *) *x;`
        at = past(at)
      case .star, .ampersand, .doubleAmpersand:
        if firstStar < 0 { firstStar = at }
        at += 1
      case .less:
        guard !words.isEmpty, let past = pastAngles(at) else { break scan }
        at = past
      case .doubleColon, .complement: at += 1
      case .openBracket where kind(at: at + 1) == .openBracket && words.isEmpty: at = past(at)
      default: break scan
      }
    }
    guard let last = words.last else {
      statement(into: &members.statements)
      return
    }
    let base = DeclarationBase(
      start: start, typeStart: start, end: start, isConstant: isConstant, isStatic: isStatic,
      condition: condition(at: start))
    switch kind(at: at) {
    case .openParen:
      let symbol = kind(at: at + 1)
      if symbol == .caret || symbol == .star {
        variables(base, words, firstStar, at, into: &members)
      } else {
        function(base, words, nameAt: last, parens: at, into: &members)
      }
    case .assign, .semicolon, .comma, .openBracket, .colon:
      if words.count == 2, firstStar < 0, kind(at: at) == .semicolon,
        [.struct, .union, .enum, .class].contains(word(at: words[0]))
      {
        // This is a type that is declared elsewhere.
        index = at + 1
      } else if words.count == 1, firstStar < 0, word(at: last)?.isNumeric != true,
        !isConstant && !isStatic
      {
        // This is a macro on its own, `label:` or `x = 1`.
        if kind(at: at) == .semicolon || kind(at: at) == .colon {
          index = at + 1
        } else {
          index = start
          statement(into: &members.statements)
        }
      } else {
        variables(base, words, firstStar, at, into: &members)
      }
    default:
      // There are macros before the next declaration: `NS_ASSUME_NONNULL_BEGIN`.
      if words.count == 1, firstStar < 0 {
        index = last + 1
      } else if words.contains(where: { Self.isMacroName(name(at: $0)) || $0 == last }),
        startsDeclaration(at) || at >= limit
      {
        index = max(at, start + 1)
        if !words.allSatisfy({ Self.isMacroName(name(at: $0)) }) { note(at: start) }
      } else {
        statement(into: &members.statements)
      }
    }
  }

  private mutating func note(at token: Int) {
    let outer = index
    index = token
    skip()
    index = outer
  }

  private func isPlainName(_ at: Int) -> Bool {
    guard kind(at: at) == .word, word(at: at)?.isNumeric != true else { return false }
    return word(at: at) == nil && !Self.isMacroName(name(at: at))
  }

  /// Returns true if a new declaration begins here, rather than the rest of the previous one.
  private func startsDeclaration(_ at: Int) -> Bool {
    switch kind(at: at) {
    case .word: true
    case .atWord, .end, .closeBrace: true
    case .minus, .plus: tokens[at].isFirstOnLine
    default: false
    }
  }

  private mutating func variables(
    _ base: DeclarationBase, _ words: [Int], _ firstStar: Int, _ stop: Int,
    into members: inout Members
  ) {
    var names = words
    // `extern T x SOME_MACRO;`
    while names.count > (firstStar < 0 ? 2 : 1), let last = names.last,
      Self.isMacroName(name(at: last)), kind(at: stop) == .semicolon, last > firstStar,
      firstStar < 0 ? isPlainName(names[names.count - 2]) : names[names.count - 2] > firstStar
    {
      names.removeLast()
    }
    let first: Int
    if firstStar >= 0, firstStar < stop {
      first = firstStar
    } else if kind(at: stop) == .openParen {
      first = stop
    } else {
      first = names.last ?? stop
    }
    var base = base
    base = DeclarationBase(
      start: base.start, typeStart: base.start, end: max(base.start, first),
      isConstant: base.isConstant, isStatic: base.isStatic,
      attributes: outletAttributes(base.start, first),
      condition: base.condition)
    index = first
    var found: [Variable] = []
    declarators(base, into: &found)
    members.variables += found
    if kind() == .semicolon {
      index += 1
    } else if found.isEmpty {
      index = base.start
      statement(into: &members.statements)
    } else if kind() == .openBrace {
      // `T x{1};` was read above, so this is something else.
      members.statements.append(.block(readBlock()))
    }
  }

  /// Returns `IBOutlet`, `IBOutletCollection` and `IBInspectable` between two tokens.
  func outletAttributes(_ start: Int, _ end: Int) -> [Attribute] {
    var found: [Attribute] = []
    for at in start..<max(start, end) {
      switch word(at: at) {
      case .IBOutlet, .IBInspectable, .IBAction, .IBOutletCollection:
        found.append(Attribute(name(at: at)))
      default: break
      }
    }
    return found
  }

  private mutating func function(
    _ base: DeclarationBase, _ words: [Int], nameAt last: Int, parens: Int,
    into members: inout Members
  ) {
    let after = past(parens)
    if words.count == 1, ![.openBrace, .colon].contains(kind(at: after)) {
      // This is a call of a macro, because every function has a type.
      if kind(at: after) == .semicolon || last + 1 != parens {
        index = base.start
        statement(into: &members.statements)
      } else {
        index = after
      }
      return
    }
    index = parens
    var name = name(at: last)
    var parameters: [Parameter] = []
    var nameOffset = offset(at: last)
    if words.count == 1, let signature = macroMethod(parens) {
      // `RCT_EXPORT_METHOD(name:(T)x label:(U)y) { }`
      (name, parameters, nameOffset) = signature
    } else {
      if word(at: last) == .operator { name = "operator" }
      if last > base.start, kind(at: last - 1) == .complement { name = "~" + name }
      parameters = readParameters()
    }
    index = after
    trailer: while index < limit {
      switch kind() {
      case .openBrace, .semicolon: break trailer
      case .word:
        if tokens[index].isFirstOnLine, kind(1) != .openParen, kind(1) != .openBrace,
          kind(1) != .semicolon, !isQualifierOrMacro(index)
        {
          // After a prototype in a macro, this is the next declaration.
          break trailer
        }
        index += 1
      case .openParen, .openBracket: index = past(index)
      case .arrow, .star, .ampersand, .doubleAmpersand, .doubleColon: index += 1
      case .less:
        guard let past = pastAngles(index) else { break trailer }
        index = past
      case .comma:
        // There are several prototypes.
        toSemicolon()
        index -= 1
        break trailer
      case .assign:
        // `= default`
        toSemicolon()
        index -= 1
        break trailer
      case .colon:
        index += 1
        passInitialisers()
      default: break trailer
      }
    }
    var body: Block?
    if kind() == .openBrace {
      body = readBlock()
    } else if kind() == .semicolon {
      index += 1
    }
    members.functions.append(
      Function(
        name: name, parameters: parameters, result: typeText(base.start, pastResult(last)),
        isStatic: base.isStatic, body: body, range: range(from: base.start),
        nameOffset: nameOffset, condition: base.condition))
  }

  /// Returns the index of the token after the result type, where a name such as `a`, `A::a` or `~A`
  /// begins.
  private func pastResult(_ name: Int) -> Int {
    var end = name
    if end > 0, kind(at: end - 1) == .complement { end -= 1 }
    while end > 1, kind(at: end - 1) == .doubleColon, kind(at: end - 2) == .word { end -= 2 }
    return end
  }

  private func isQualifierOrMacro(_ at: Int) -> Bool {
    word(at: at)?.isQualifier == true || Self.isMacroName(name(at: at))
  }

  /// Skips `: a(x), b{y}` to the body of a constructor.
  private mutating func passInitialisers() {
    while index < limit {
      switch kind() {
      case .openBrace:
        let before = kind(at: index - 1)
        guard before == .word || before == .greater else { return }
        index = past(index)
      case .openParen, .openBracket: index = past(index)
      case .word, .comma, .doubleColon, .less, .greater, .ellipsis: index += 1
      default: return
      }
    }
  }
}
