import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads a declaration that begins with `@`, outside of functions.
  mutating func atDeclaration(into members: inout Members) {
    switch atWord(at: index) {
    case .interface, .implementation: container(into: &members)
    case .protocol: protocolDeclaration(into: &members)
    case .class, .compatibility_alias, .synthesize, .dynamic: toSemicolon()
    case .import:
      var module = ""
      index += 1
      while kind() == .word || kind() == .dot {
        module += text(at: index)
        index += 1
      }
      imports.append(module)
      if kind() == .semicolon { index += 1 }
    case .property: property(into: &members)
    case .end, .optional, .required, .public, .private, .protected, .package: index += 1
    default: statement(into: &members.statements)
    }
  }

  // MARK: - Containers

  /// Reads `@interface Name <T> : Super <P> { … } … @end` and
  /// `@implementation Name (Category) … @end`.
  private mutating func container(into members: inout Members) {
    let start = index
    index += 1
    guard kind() == .word else {
      note(at: start)
      return
    }
    let nameAt = index
    index += 1
    var form = TypeDeclaration.Form.class
    var inherited: [String] = []
    if kind() == .less, let past = pastAngles(index) {
      // These are type parameters, or the protocols of a class without a superclass.
      if kind(at: past) != .colon, kind(at: past) != .openParen { inherited += listed(index, past) }
      index = past
    }
    if kind() == .openParen {
      form = .extension
      index = past(index)
    }
    if kind() == .colon, kind(1) == .word {
      inherited.insert(name(at: index + 1), at: 0)
      index += 2
      if kind() == .less, let past = pastAngles(index) {
        if kind(at: past) == .less { index = past }
      }
    }
    if kind() == .less, let past = pastAngles(index) {
      inherited += listed(index, past)
      index = past
    }
    var inner = Members()
    if kind() == .openBrace {
      let region = enter()
      declarations(into: &inner)
      leave(region)
    }
    self.members(into: &inner)
    members.types.append(
      TypeDeclaration(
        form: form, name: name(at: nameAt), inherited: inherited, variables: inner.variables,
        functions: inner.functions, types: inner.types, range: range(from: start),
        nameOffset: offset(at: nameAt)))
    members.statements += inner.statements
  }

  private mutating func protocolDeclaration(into members: inout Members) {
    let start = index
    index += 1
    guard kind() == .word else {
      note(at: start)
      return
    }
    let nameAt = index
    index += 1
    guard kind() != .semicolon, kind() != .comma else {
      toSemicolon()
      return
    }
    var inherited: [String] = []
    if kind() == .less, let past = pastAngles(index) {
      inherited = listed(index, past)
      index = past
    }
    var inner = Members()
    self.members(into: &inner)
    members.types.append(
      TypeDeclaration(
        form: .protocol, name: name(at: nameAt), inherited: inherited,
        variables: inner.variables, functions: inner.functions, types: inner.types,
        range: range(from: start), nameOffset: offset(at: nameAt)))
    members.statements += inner.statements
  }

  private mutating func note(at token: Int) {
    index = token
    skip()
    index = token + 1
  }

  /// Reads declarations up to `@end`, or up to the next container if `@end` is missing.
  private mutating func members(into inner: inout Members) {
    while index < limit {
      switch atWord(at: index) {
      case .end:
        index += 1
        return
      case .interface, .implementation: return
      default: break
      }
      let start = index
      declaration(into: &inner)
      if index == start { skipToken() }
    }
  }

  /// Returns the names in `<A, B>`.
  private func listed(_ start: Int, _ end: Int) -> [String] {
    var found: [String] = []
    var first = start + 1
    var at = first
    while at < end {
      if kind(at: at) == .comma || at == end - 1 {
        if let type = typeText(first, at) { found.append(type) }
        first = at + 1
      }
      if kind(at: at) == .less, let past = pastAngles(at) { at = past } else { at += 1 }
    }
    return found
  }

  // MARK: - Properties

  /// Reads `@property (attributes) T *name, *other;`.
  private mutating func property(into members: inout Members) {
    let start = index
    index += 1
    var attributes: [Attribute] = []
    var isStatic = false
    if kind() == .openParen {
      let end = close(of: index)
      var at = index + 1
      while at < end {
        if kind(at: at) == .word {
          let attribute = name(at: at)
          if word(at: at) == .class { isStatic = true }
          if kind(at: at + 1) == .assign, kind(at: at + 2) == .word {
            let value = Expression(
              .name(name(at: at + 2)), tokens[at + 2].start..<tokens[at + 2].end)
            attributes.append(Attribute(attribute, [Argument(nil, value)]))
            at += 3
            continue
          }
          attributes.append(Attribute(attribute))
        }
        at += 1
      }
      index = past(index)
    }
    let typeStart = index
    // The name is the word before `,`, `;` or an attribute, or the word in `(^name)`.
    var at = index
    var nameAt = -1
    var firstStar = -1
    var stop = -1
    scan: while at < limit, at < typeStart + Self.lookAhead * 2 {
      switch kind(at: at) {
      case .word:
        if let word = word(at: at), word.isQualifier {
          at += 1
          if word.takesParens, kind(at: at) == .openParen { at = past(at) }
          continue
        }
        if nameAt >= 0, nameAt > firstStar, Self.isMacroName(name(at: at)) {
          // These are attributes if the word before them is the name and not its type.
          if firstStar >= 0 || nameAt > typeStart && hasType(typeStart, nameAt) { break scan }
        }
        nameAt = at
        at += 1
      case .star:
        if firstStar < 0 { firstStar = at }
        at += 1
      case .less:
        guard let past = pastAngles(at) else { break scan }
        at = past
      case .doubleColon: at += 1
      case .openParen:
        if [.caret, .star].contains(kind(at: at + 1)) { stop = at }
        let after = past(at)
        if stop < 0, nameAt == at - 1, kind(at: after) == .star || kind(at: after) == .word {
          // `typeof(x) y` and `ArrayOf(T *) *y`.
          at = after
          continue
        }
        break scan
      default: break scan
      }
    }
    let first = stop >= 0 ? stop : firstStar >= 0 ? firstStar : nameAt
    attributes += outletAttributes(typeStart, at)
    if first > typeStart || first == typeStart && stop >= 0 {
      index = first
      let base = DeclarationBase(
        start: start, typeStart: typeStart, end: first, isStatic: isStatic, attributes: attributes,
        condition: condition(at: start))
      declarators(base, into: &members.variables)
    } else {
      index = start
      skip()
      index = max(at, start + 1)
    }
    // Attributes may follow the name.
    while index < limit, kind() != .semicolon {
      switch kind() {
      case .word where !tokens[index].isFirstOnLine || Self.isMacroName(name(at: index)):
        index += 1
      case .word where word()?.isQualifier == true: index += 1
      case .openParen: index = past(index)
      default: return
      }
    }
    if kind() == .semicolon { index += 1 }
  }

  /// Returns true if a word that is not a macro is between two tokens.
  private func hasType(_ start: Int, _ end: Int) -> Bool {
    (start..<end).contains {
      kind(at: $0) == .word && word(at: $0)?.isQualifier != true
        && !Self.isMacroName(name(at: $0))
    }
  }

  // MARK: - Methods

  /// Reads `- (T)name:(U)x label:(V)y;`, with or without a body.
  mutating func method(into members: inout Members) {
    let start = index
    let isStatic = kind() == .plus
    index += 1
    var result: String?
    var attributes: [Attribute] = []
    if kind() == .openParen {
      let end = close(of: index)
      result = typeText(index + 1, end)
      attributes = outletAttributes(index + 1, end)
      index = past(index)
    }
    guard let (name, parameters, nameOffset) = signature() else {
      note(at: start)
      return
    }
    // The method may have attributes before its body or its end.
    trailer: while index < limit {
      switch kind() {
      case .word:
        if tokens[index].isFirstOnLine, !Self.isMacroName(self.name(at: index)),
          word()?.isQualifier != true
        {
          break trailer
        }
        index += 1
      case .openParen: index = past(index)
      default: break trailer
      }
    }
    if kind() == .semicolon {
      index += 1
      // `- (void)a; { … }` was allowed once.
      guard kind() == .openBrace else {
        append(nil)
        return
      }
    }
    append(kind() == .openBrace ? readBlock() : nil)

    func append(_ body: Block?) {
      members.functions.append(
        Function(
          name: name, parameters: parameters, result: result, isStatic: isStatic,
          attributes: attributes, body: body, range: range(from: start), nameOffset: nameOffset,
          condition: condition(at: start)))
    }
  }

  /// Reads `name`, or `name:(T)x label:(U)y, ...`, at the cursor.
  private mutating func signature() -> (String, [Parameter], Int32)? {
    guard kind() == .word || kind() == .colon else { return nil }
    let nameOffset = offset(at: index)
    var name = ""
    if kind() == .word {
      name = self.name(at: index)
      index += 1
    }
    var parameters: [Parameter] = []
    var label: String?
    while kind() == .colon || kind() == .doubleColon {
      index += 1
      var type: String?
      while kind() == .word, word()?.isQualifier == true {
        index += 1
        if kind() == .openParen, kind(1) == .openParen { index = past(index) }
      }
      if kind() == .openParen {
        type = parameterType(index + 1, close(of: index))
        index = past(index)
      }
      while kind() == .word, word()?.isQualifier == true || isAttributeBeforeName {
        index += 1
        if kind() == .openParen { index = past(index) }
      }
      guard kind() == .word else { break }
      parameters.append(
        Parameter(
          label: label, name: self.name(at: index), type: type, nameOffset: offset(at: index)))
      index += 1
      while kind() == .word, word()?.isQualifier == true || isAttributeBehindName {
        index += 1
        if kind() == .openParen { index = past(index) }
      }
      if kind() == .word, kind(1) == .colon || kind(1) == .doubleColon {
        label = self.name(at: index)
        index += 1
      } else {
        label = nil
      }
    }
    // `, ...` is possible here, and in old code also parameters in the style of C.
    while kind() == .comma || kind() == .ellipsis { index += 1 }
    return (name, parameters, nameOffset)
  }

  /// True at `(T)SOME_MACRO x`.
  private var isAttributeBeforeName: Bool {
    kind(1) == .word && Self.isMacroName(name(at: index)) && kind(2) != .colon
  }

  /// True at `(T)x SOME_MACRO label:`.
  private var isAttributeBehindName: Bool {
    Self.isMacroName(name(at: index)) && kind(1) == .word && kind(2) == .colon
  }

  /// Returns a type in parentheses, which may be the type of a block.
  private func parameterType(_ start: Int, _ end: Int) -> String? {
    var at = start
    while at < end, at < start + Self.lookAhead {
      if kind(at: at) == .openParen, [.caret, .star].contains(kind(at: at + 1)) {
        let after = past(at)
        let parameters =
          after < end && kind(at: after) == .openParen
          ? typeText(after + 1, close(of: after)) ?? "" : ""
        return (typeText(start, at) ?? "") + " (" + text(at: at + 1) + ")(" + parameters + ")"
      }
      at += 1
    }
    return typeText(start, end)
  }

  /// Reads the method in the parentheses of a macro: `NAME(a:(T)x b:(U)y)` or
  /// `NAME(other, a:(T)x)`.
  mutating func macroMethod(_ parens: Int) -> (String, [Parameter], Int32)? {
    let end = close(of: parens)
    var at = parens + 1
    while at < end, kind(at: at) == .word, kind(at: at + 1) == .comma { at += 2 }
    guard kind(at: at) == .word, kind(at: at + 1) == .colon,
      kind(at: at + 2) == .openParen
    else { return nil }
    let outer = (index, limit)
    index = at
    limit = end
    defer { (index, limit) = outer }
    return signature()
  }
}
