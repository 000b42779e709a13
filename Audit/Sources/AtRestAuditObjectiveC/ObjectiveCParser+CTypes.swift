import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads the code after `typedef`. A type with braces is read, and a plain alias is skipped.
  mutating func typeDefinition(into members: inout Members) {
    switch word() {
    case .struct, .union, .enum:
      if compound(from: index - 1, into: &members) { return }
    case .NS_ENUM, .NS_OPTIONS, .NS_CLOSED_ENUM, .NS_ERROR_ENUM, .CF_ENUM, .CF_OPTIONS,
      .CF_CLOSED_ENUM:
      if macroEnumeration(from: index - 1, into: &members) { return }
    default: break
    }
    toSemicolon()
  }

  /// Reads `typedef NS_ENUM(T, Name) { … };`.
  mutating func macroEnumeration(from start: Int, into members: inout Members) -> Bool {
    guard kind(1) == .openParen else { return false }
    let end = close(of: index + 1)
    guard kind(at: past(index + 1)) == .openBrace else { return false }
    let isNamed = kind(at: end - 1) == .word
    let nameAt = end - 1
    let type = typeText(index + 2, end)
    index = past(index + 1)
    let cases = enumerationCases()
    if kind() == .semicolon { index += 1 } else { passAttributes() }
    members.types.append(
      TypeDeclaration(
        form: .enum, name: isNamed ? name(at: nameAt) : type ?? "", cases: cases,
        range: range(from: start), nameOffset: offset(at: nameAt)))
    return true
  }

  private mutating func passAttributes() {
    while index < limit, kind() == .word, !tokens[index].isFirstOnLine {
      index += 1
      if kind() == .openParen { index = past(index) }
    }
    if kind() == .semicolon { index += 1 }
  }

  /// Reads the cases that have a value, from the braces at the cursor.
  private mutating func enumerationCases() -> [Variable] {
    let region = enter()
    defer { leave(region) }
    var found: [Variable] = []
    while index < limit {
      let start = index
      guard kind() == .word else {
        if kind() == .comma { index += 1 } else { skipToken() }
        continue
      }
      index += 1
      while kind() == .word || kind() == .openParen {
        index = kind() == .word ? index + 1 : past(index)
      }
      guard kind() == .assign else {
        if kind() == .comma { index += 1 }
        continue
      }
      index += 1
      let value = expression()
      found.append(
        Variable(
          name: name(at: start), value: value, isConstant: true,
          range: range(from: start), nameOffset: offset(at: start),
          condition: condition(at: start)))
    }
    return found
  }

  /// Reads `struct a { … } b;`, `class a : public b { … };` and `enum a : T { … };`, if they have
  /// braces.
  mutating func compound(from start: Int, into members: inout Members) -> Bool {
    let keyword = word()
    var at = index + 1
    if keyword == .enum, word(at: at) == .class || word(at: at) == .struct { at += 1 }
    var nameAt = -1
    var inherited: [String] = []
    let stop = min(limit, at + Self.lookAhead)
    header: while at < stop {
      switch kind(at: at) {
      case .word:
        if word(at: at)?.takesParens == true, kind(at: at + 1) == .openParen {
          at = past(at + 1)
          continue
        }
        if word(at: at)?.isQualifier != true { nameAt = at }
        at += 1
      case .openParen where kind(at: at - 1) == .word: at = past(at)
      case .doubleColon: at += 1
      case .less:
        guard let past = pastAngles(at) else { return false }
        at = past
      case .colon:
        at += 1
        var first = at
        while at < stop, kind(at: at) != .openBrace, kind(at: at) != .semicolon {
          if kind(at: at) == .comma {
            if let type = baseName(first, at) { inherited.append(type) }
            first = at + 1
          }
          if kind(at: at) == .less, let past = pastAngles(at) { at = past } else { at += 1 }
        }
        if let type = baseName(first, at) { inherited.append(type) }
      case .openBrace: break header
      default: return false
      }
    }
    guard kind(at: at) == .openBrace else { return false }
    index = at
    var inner = Members()
    if keyword == .enum {
      inner.cases = enumerationCases()
    } else {
      let region = enter()
      declarations(into: &inner)
      leave(region)
    }
    // The name of the type definition, or of variables of this type, follows.
    let typeEnd = index
    var variables: [Variable] = []
    let isDefinition = word(at: start) == .typedef
    while kind() == .word, word()?.isQualifier == true {
      index += 1
      if kind() == .openParen { index = past(index) }
    }
    if isDefinition, kind() == .word { nameAt = index }
    if !isDefinition, kind() == .word || kind() == .star, nameAt >= 0 || kind(1) != .end {
      let base = DeclarationBase(
        start: typeEnd, typeStart: typeEnd, end: typeEnd, condition: condition(at: start))
      if !tokens[index].isFirstOnLine { declarators(base, into: &variables) }
      if kind() == .semicolon { index += 1 }
    } else if isDefinition {
      toSemicolon()
    } else if kind() == .semicolon {
      index += 1
    }
    members.types.append(
      TypeDeclaration(
        form: keyword == .enum ? .enum : keyword == .class ? .class : .struct,
        name: nameAt >= 0 ? name(at: nameAt) : "", inherited: inherited,
        variables: inner.variables, functions: inner.functions, types: inner.types,
        cases: inner.cases, range: range(from: start),
        nameOffset: offset(at: nameAt >= 0 ? nameAt : start)))
    members.variables += variables
    members.statements += inner.statements
    return true
  }

  /// Returns the name of an inherited class without words such as `public`, or nil if there is no
  /// name.
  private func baseName(_ start: Int, _ end: Int) -> String? {
    var first = start
    while first < end, let word = word(at: first),
      [.public, .private, .protected, .virtual].contains(word)
    {
      first += 1
    }
    return first < end ? typeText(first, end) : nil
  }
}
