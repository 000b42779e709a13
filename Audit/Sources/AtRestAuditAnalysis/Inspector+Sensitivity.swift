import AtRestAuditModel

extension Inspector {
  /// Returns the evidence that an expression is sensitive, or nil.
  package func sensitivity(of expression: Expression, in scope: Scope) -> Evidence? {
    sensitivity(of: expression, in: scope, depth: 0)
  }

  func sensitivity(of expression: Expression, in scope: Scope, depth: Int) -> Evidence? {
    guard depth < Self.furthest else { return nil }
    return effort.ask {
      findSensitivity(of: expression, in: scope, depth: depth)
        ?? location(expression, in: scope)
    }
  }

  private func findSensitivity(
    of expression: Expression, in scope: Scope, depth: Int
  ) -> Evidence? {
    switch expression.kind {
    case .string(let pieces): return sensitivity(of: pieces, in: scope, depth: depth)
    case .number, .boolean, .null, .closure: return nil
    case .cast(let inner, let type):
      return type == "Bool" || type == "BOOL"
        ? nil : sensitivity(of: inner, in: scope, depth: depth)
    case .prefix("!", _): return nil
    case .prefix(_, let inner): return sensitivity(of: inner, in: scope, depth: depth)
    case .binary(let left, let sign, let right):
      guard sign == "+" || sign == "??" || sign == "|" || sign == "^" else { return nil }
      return sensitivity(of: left, in: scope, depth: depth)
        ?? sensitivity(of: right, in: scope, depth: depth)
        ?? (sign == "+" ? left.lastText.flatMap { announced(by: $0, right, in: scope) } : nil)
    case .assignment(_, _, let value): return sensitivity(of: value, in: scope, depth: depth)
    case .choice(_, let values), .array(let values), .other(let values):
      return first(of: values, in: scope, depth: depth + 1)
    case .tuple(let arguments):
      return first(of: arguments.map(\.value), in: scope, depth: depth + 1)
    case .dictionary(let pairs): return sensitivity(of: pairs, in: scope, depth: depth)
    case .index(let base, let arguments):
      if let key = arguments.first?.value, let text = constant(key, in: scope)?.text {
        // The name of the entry decides, not the name of the record that contains it.
        guard let found = SensitiveKind.ofKey(text), isCredible(text, in: scope) else { return nil }
        return entry(text, found)
      }
      return sensitivity(of: base, in: scope, depth: depth + 1)
    // An error describes what went wrong, whatever was being done.
    case .name(let name) where ["error", "err", "exception"].contains(name): return nil
    case .name(let name): return sensitivity(ofName: name, expression, in: scope, depth: depth)
    case .member(let base, let name):
      return sensitivity(ofMember: name, of: base, expression, in: scope, depth: depth)
    case .call(let callee, let arguments):
      return sensitivity(ofCall: callee, arguments, expression, in: scope, depth: depth)
    }
  }

  func first(
    of values: [Expression], in scope: Scope, depth: Int
  ) -> Evidence? {
    for value in values {
      if let found = sensitivity(of: value, in: scope, depth: depth) { return found }
    }
    return nil
  }

  /// Returns the evidence of the key of an entry.
  func entry(_ key: String, _ found: SensitiveKind, type: String? = nil) -> Evidence {
    Evidence(
      sensitivity: found, name: "the entry \(key)", source: .entry, subject: key, type: type)
  }

  // MARK: Strings and dictionaries

  func sensitivity(
    of pieces: [StringPiece], in scope: Scope, depth: Int
  ) -> Evidence? {
    var before = ""
    for piece in pieces {
      switch piece {
      case .text(let text):
        if before.isEmpty, let found = Self.login(inAddress: text) { return found }
        before = text
      case .value(let arguments):
        guard let value = arguments.first?.value, !Self.hides(arguments) else { continue }
        if let found = sensitivity(of: value, in: scope, depth: depth + 1) { return found }
        if let found = announced(by: before, value, in: scope) { return found }
        before = ""
      }
    }
    return nil
  }

  /// Returns the evidence that a text is an address with a password in it: `https://key:secret@host`.
  static func login(inAddress text: String) -> Evidence? {
    guard text.utf8.contains(UInt8(ascii: "@")), Literal.password(inAddress: text) != nil else {
      return nil
    }
    return Evidence(
      sensitivity: .credential, name: "the password of an address", source: .use,
      subject: "password")
  }

  /// Returns true if an interpolation of the project's own hides its value: `\\(private: token)`.
  package static func hides(_ arguments: [Argument]) -> Bool {
    ["private", "sensitive", "redacted", "masked", "hidden", "secret", "mask", "redact"].contains(
      arguments.first?.label)
  }

  /// Returns evidence if a string names the value after it as sensitive: `"password: \(x)"`,
  /// `&token=`.
  package func announced(by text: String, _ value: Expression, in scope: Scope) -> Evidence? {
    var trimmed = text.suffix(40)
    while let last = trimmed.last, last == " " || last == "'" || last == "\"" {
      trimmed.removeLast()
    }
    if trimmed.hasSuffix(" is") || trimmed.hasSuffix(" was") || trimmed.hasSuffix("->") {
      trimmed.removeLast(trimmed.hasSuffix("was") ? 3 : 2)
    } else if trimmed.last == ":" || trimmed.last == "=" {
      trimmed.removeLast()
    } else {
      return nil
    }
    // `error retrieving token: \\(error)`
    let words = Words.split(String(trimmed))
    if words.contains(where: { $0 == "error" || $0.hasPrefix("fail") || $0 == "unable" }) {
      return nil
    }
    let caption = trimmed.split { !($0.isLetter || $0 == "_" || $0.isNumber) }.suffix(2)
      .joined(separator: " ")
    guard let found = SensitiveKind.ofName(caption), isSpeaking(value, in: scope) else {
      return nil
    }
    if found == .location,
      Words.split(value.lastName ?? "").contains(where: {
        ["country", "region", "locale"].contains($0)
      })
    {
      return nil
    }
    // `push token: valid=1, token=`
    let type = type(of: value, in: scope)
    if let type, !couldHold(type, named: caption) { return nil }
    let owner = value.bare.owner(in: scope, self)
    guard
      isCredible(caption, in: scope)
        || value.lastName.map({ isWitnessed($0, owner: owner, in: scope) }) == true
    else { return nil }
    let isOfDevice = found == .token && SensitiveKind.isOfDevice(text)
    return Evidence(
      sensitivity: found, name: "labelled \u{201C}\(isOfDevice ? "push token" : caption)\u{201D}",
      source: .caption, subject: value.lastName ?? caption, owner: owner, type: type)
  }

  /// Returns true if a value could be the secret itself, and not an error, status, count or truth
  /// value.
  private func isSpeaking(_ value: Expression, in scope: Scope) -> Bool {
    let type = type(of: value, in: scope).map(TypeName.plain)
    if let type, Self.silentTypes.contains(type) { return false }
    switch value.kind {
    case .number, .boolean, .null, .binary, .prefix: return false
    case .string: return false
    case .choice(_, let values): return values.contains { isSpeaking($0, in: scope) }
    default: break
    }
    guard let name = value.lastName else { return true }
    if name.hasPrefix("NSLocalizedString") || name == "localized" || name == "L10n" { return false }
    if case .call(_, let arguments) = value.kind, arguments.first?.label == "localized" {
      return false
    }
    if Self.makesSafe(name) || isSafeByName(value) || name == "prefix" || name == "suffix" {
      return false
    }
    let words = Words.split(name)
    guard let last = words.last else { return false }
    return !Vocabulary.harmless.contains(last) && !Vocabulary.otherThings.contains(last)
      && !Self.projections.contains(name)
  }

  /// Returns true if a part of a chain says that it is something other than a secret:
  /// `tokenAddress.hex`.
  private func isSafeByName(_ value: Expression) -> Bool {
    guard case .member(let base?, _) = value.bare.kind, let name = base.lastName else {
      return false
    }
    let words = Words.split(name)
    return words.last.map(Vocabulary.otherThings.contains) == true
      || words.first.map { ["is", "has", "should", "can", "did"].contains($0) } == true
  }

  func sensitivity(of pairs: [Pair], in scope: Scope, depth: Int) -> Evidence? {
    // A secret says more about a record than an address.
    var other: Evidence?
    for pair in pairs {
      guard let found = sensitivity(ofEntry: pair.key, pair.value, in: scope, depth: depth) else {
        continue
      }
      if found.sensitivity.isSecret { return found }
      other = other ?? found
    }
    return other
  }

  /// Returns the evidence that a dictionary entry is sensitive, from its key or its value, or nil.
  package func sensitivity(
    ofEntry key: Expression, _ value: Expression, in scope: Scope, depth: Int = 0
  ) -> Evidence? {
    if isEmpty(value) || isFlag(value, in: scope) || isGenerated(value, in: scope) { return nil }
    let own = sensitivity(of: value, in: scope, depth: depth + 1)
    guard let name = entryName(key, in: scope) ?? sensitiveName(ofEach: key, in: scope),
      let found = SensitiveKind.ofKey(name)
    else { return own }
    let type = type(of: value, in: scope)
    if let type, !couldHold(type, named: name) { return own }
    // The `id` of a patient is that of a person, whatever other identifiers are.
    guard own != nil || found == .health || isCredible(name, in: scope) else { return nil }
    return entry(name, found, type: type).supported(by: own)
  }

  /// Returns the text of the key of an entry, or nil if it is unknown. A constant that cannot be
  /// resolved has its own name: `.accessToken`.
  func entryName(_ key: Expression, in scope: Scope) -> String? {
    if let constant = constant(key, in: scope) { return constant.text }
    if case .member(_, let name) = key.bare.kind { return name }
    return nil
  }

  /// Returns the first sensitive one of the texts of a list, if the key of an entry is each of them in turn:
  /// `for key in ["uid", "access-token"]`.
  private func sensitiveName(ofEach key: Expression, in scope: Scope) -> String? {
    guard case .name(let name) = key.bare.kind,
      case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: key.bare),
      bindings.count == 1, case .some = bindings[0].part
    else { return nil }
    let list = bindings[0].value
    let lists = [(value: list, scope: home)] + results(of: list, in: home)
    return lists.lazy.compactMap { list -> String? in
      guard case .array(let elements) = list.value.bare.kind, elements.count < 20 else {
        return nil
      }
      return elements.lazy.compactMap { constant($0, in: list.scope)?.text }
        .first { SensitiveKind.ofKey($0)?.isSecret == true && isCredible($0, in: home) }
    }.first
  }

  /// Returns true if a value is only a truth value, a count or a date.
  package func isFlag(_ value: Expression, in scope: Scope) -> Bool {
    switch value.bare.kind {
    case .boolean, .null: return true
    case .number(let text): return text.count < 4
    default: break
    }
    guard let type = type(of: value, in: scope) else {
      if let name = value.lastName, let first = Words.split(name).first {
        return ["is", "has", "should", "can", "did"].contains(first)
      }
      return false
    }
    return ["Bool", "BOOL", "Date", "NSDate", "TimeInterval", "bool", "Void"].contains(
      TypeName.plain(type))
  }

  /// Returns true if a value was just made up to tell things apart: `UUID().uuidString`.
  private func isGenerated(_ value: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    switch value.bare.calleeOrSelf.kind {
    case .member(let base?, let name) where name == "uuidString" || name == "UUIDString":
      return base.lastName.map { ["UUID", "NSUUID"].contains($0) } ?? false
    case .name(let name):
      guard depth < 4,
        case .local(let bindings, _, let home) = meaning(
          of: name, in: scope, at: value.bare)
      else {
        return false
      }
      return bindings.contains { isGenerated($0.value, in: home, depth: depth + 1) }
    default: return false
    }
  }

  package func isEmpty(_ value: Expression) -> Bool {
    if value.bare.isNull || value.bare.literal == "" { return true }
    if case .call(let callee, let arguments) = value.kind, arguments.isEmpty,
      case .name(let name) = callee.kind
    {
      return name == "String" || name == "NSNull" || name == "Data"
    }
    return false
  }
}

extension Expression {
  fileprivate var calleeOrSelf: Expression {
    if case .call(let callee, _) = kind { callee } else { self }
  }

  /// The last text of a string or of a sum, which stands right before a value that is added to it.
  fileprivate var lastText: String? {
    if case .binary(_, "+", let right) = kind { return right.literal }
    return literal
  }

  /// The expression as shown to a person: names and dots, at most 60 characters.
  package var written: String {
    let text: String =
      switch kind {
      case .name(let name): name
      case .member(let base?, let name): base.written + "." + name
      case .member(nil, let name): "." + name
      case .call(let callee, _): callee.written + "()"
      case .cast(let inner, _), .prefix(_, let inner): inner.written
      case .index(let base, _): base.written + "[…]"
      case .string: "a text"
      default: "a value"
      }
    return text.count > 60 ? "…" + text.suffix(59) : text
  }
}
