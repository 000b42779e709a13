import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads `[receiver name]` and `[receiver name:x label:y, z]`.
  mutating func message() -> Expression? {
    guard depth < Self.deepest else { return tooDeep() }
    depth += 1
    defer { depth -= 1 }
    let start = index
    let region = enter()
    isInMessage = true
    let found = messageParts()
    leave(region)
    switch found {
    case .call(let member, let arguments): return make(.call(member, arguments), from: start)
    case .none(let parts): return make(.other(parts), from: start)
    }
  }

  private enum MessageParts {
    case call(Expression, [Argument])
    /// Not a message, but the index of a designated initialiser or other code.
    case none([Expression])
  }

  private mutating func messageParts() -> MessageParts {
    let start = index
    let receiver: Expression
    if kind() == .word, kind(1) == .less, let past = pastAngles(index + 1), kind(at: past) == .word
    {
      // `[NSArray<NSString *> array]`
      index += 1
      receiver = make(.name(name(at: start)), from: start)
      index = past
    } else if let found = unary() {
      receiver = found
    } else {
      return .none(list())
    }
    guard kind() == .word || kind() == .colon || kind() == .doubleColon else {
      return .none([receiver] + list())
    }
    var name = ""
    if kind() == .word {
      name = self.name(at: index)
      index += 1
    }
    let member = make(.member(receiver, name), from: start)
    var arguments: [Argument] = []
    if kind() == .colon || kind() == .doubleColon {
      index += 1
      if let value = expression() { arguments.append(Argument(nil, value)) }
    }
    while index < limit {
      if kind() == .word, kind(1) == .colon || kind(1) == .doubleColon {
        let label = self.name(at: index)
        index += 2
        if let value = expression() { arguments.append(Argument(label, value)) }
      } else if kind() == .comma || kind() == .colon || kind() == .doubleColon {
        index += 1
        if let value = expression() { arguments.append(Argument(nil, value)) }
      } else if let value = expression() {
        // This is a macro between the parts.
        arguments.append(Argument(nil, value))
      } else {
        skipToken()
      }
    }
    return .call(member, arguments)
  }

  // MARK: - Expressions that begin with @

  /// Reads `@(x)`, `@1`, `@[x]` and `@{k: v}`.
  mutating func boxed(from start: Int) -> Expression? {
    switch kind() {
    case .openBracket:
      let region = enter()
      let elements = list()
      leave(region)
      return make(.array(elements), from: start)
    case .openBrace: return dictionary(from: start)
    case .openParen:
      let region = enter()
      let parts = list()
      leave(region)
      if parts.count == 1 { return parts[0] }
      return make(.other(parts), from: start)
    default:
      guard depth < Self.deepest else { return make(.other([]), from: start) }
      depth += 1
      defer { depth -= 1 }
      guard let value = unary() else { return make(.other([]), from: start) }
      return Expression(value.kind, range(from: start))
    }
  }

  private mutating func dictionary(from start: Int) -> Expression {
    let region = enter()
    var pairs: [Pair] = []
    while index < limit {
      if kind() == .comma {
        index += 1
        continue
      }
      guard let key = expression() else {
        skipToken()
        continue
      }
      guard kind() == .colon else {
        skip()
        // The value is a placeholder instead of the key, because code that walks nested pairs would
        // visit each key twice.
        pairs.append(Pair(key, Expression(.other([]), key.range)))
        continue
      }
      index += 1
      if let value = expression() { pairs.append(Pair(key, value)) }
    }
    leave(region)
    return make(.dictionary(pairs), from: start)
  }

  mutating func atExpression() -> Expression? {
    let start = index
    let word = Word(rawValue: tokens[index].value)
    switch word {
    case .YES, .true, .TRUE:
      index += 1
      return make(.boolean(true), from: start)
    case .NO, .false, .FALSE:
      index += 1
      return make(.boolean(false), from: start)
    case .interface, .implementation, .end, .property: return nil
    case .selector, .protocol, .encode, .available:
      index += 1
      let name = make(.name("@" + self.name(at: start)), from: start)
      guard kind() == .openParen else { return name }
      let end = close(of: index)
      var text = ""
      for at in (index + 1)..<max(index + 1, end) {
        if !text.isEmpty, tokens[at].start > tokens[at - 1].end { text += " " }
        text += self.text(at: at)
      }
      let inner = offset(at: index + 1)..<max(offset(at: index + 1), tokens[end - 1].end)
      index = past(index)
      let argument = make(.string(text.isEmpty ? [] : [.text(text)]), inner)
      return make(.call(name, [Argument(nil, argument)]), from: start)
    default:
      // This is a macro: `@weakify(self)`.
      index += 1
      return make(.name("@" + name(at: start)), from: start)
    }
  }
}
