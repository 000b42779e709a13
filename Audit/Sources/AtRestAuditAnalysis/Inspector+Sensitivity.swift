import AtRestAuditModel

extension Inspector {
  /// Why an expression is sensitive, if it is.
  package func sensitivity(of expression: Expression, in scope: Scope) -> Evidence? {
    sensitivity(of: expression, in: scope, depth: 0)
  }

  func sensitivity(of expression: Expression, in scope: Scope, depth: Int) -> Evidence? {
    guard depth < Self.furthest else { return nil }
    return effort.ask { findSensitivity(of: expression, in: scope, depth: depth) }
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
        // A field of a record: its name tells, and the record does not.
        if let found = Sensitivity.ofKey(text) {
          return Evidence(sensitivity: found, name: "the entry \(text)", trail: [])
        }
        return nil
      }
      return sensitivity(of: base, in: scope, depth: depth + 1)
    case .name(let name): return sensitivity(ofName: name, expression, in: scope, depth: depth)
    case .member(let base, let name):
      return sensitivity(ofMember: name, of: base, expression, in: scope, depth: depth)
    case .call(let callee, let arguments):
      return sensitivity(ofCall: callee, arguments, expression, in: scope, depth: depth)
    }
  }

  private func first(
    of values: [Expression], in scope: Scope, depth: Int
  ) -> Evidence? {
    for value in values {
      if let found = sensitivity(of: value, in: scope, depth: depth) { return found }
    }
    return nil
  }

  // MARK: Strings and dictionaries

  private func sensitivity(
    of pieces: [StringPiece], in scope: Scope, depth: Int
  ) -> Evidence? {
    var before = ""
    for piece in pieces {
      switch piece {
      case .text(let text): before = text
      case .value(let arguments):
        guard let value = arguments.first?.value else { continue }
        if let found = sensitivity(of: value, in: scope, depth: depth + 1) { return found }
        if let found = announced(by: before, value, in: scope) { return found }
        before = ""
      }
    }
    return nil
  }

  /// What a text announces right before a value: `"password: \(x)"`, `&token=`.
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
    let caption = trimmed.split { !($0.isLetter || $0 == "_" || $0.isNumber) }.suffix(2)
      .joined(separator: " ")
    guard let found = Sensitivity.ofName(caption), isSpeaking(value, in: scope) else { return nil }
    return Evidence(sensitivity: found, name: "announced as \u{201C}\(caption)\u{201D}", trail: [])
  }

  /// Whether a value could be the secret itself: no error, status, count or truth value.
  private func isSpeaking(_ value: Expression, in scope: Scope) -> Bool {
    let type = type(of: value, in: scope).map(TypeName.plain)
    if let type, Self.silentTypes.contains(type) { return false }
    switch value.kind {
    case .number, .boolean, .null, .binary, .prefix: return false
    case .string: return false
    default: break
    }
    guard let name = value.lastName else { return true }
    if name.hasPrefix("NSLocalizedString") || name == "localized" || name == "L10n" { return false }
    if case .call(_, let arguments) = value.kind, arguments.first?.label == "localized" {
      return false
    }
    guard let last = Words.split(name).last else { return true }
    return !Vocabulary.harmless.contains(last) && !Self.projections.contains(name)
  }

  private func sensitivity(of pairs: [Pair], in scope: Scope, depth: Int) -> Evidence? {
    for pair in pairs {
      if let found = sensitivity(ofEntry: pair.key, pair.value, in: scope, depth: depth) {
        return found
      }
    }
    return nil
  }

  /// Why an entry of a dictionary is sensitive: by its key, or by its value.
  package func sensitivity(
    ofEntry key: Expression, _ value: Expression, in scope: Scope, depth: Int = 0
  ) -> Evidence? {
    if isEmpty(value) || isFlag(value, in: scope) { return nil }
    if let text = constant(key, in: scope)?.text, let found = Sensitivity.ofKey(text) {
      return Evidence(sensitivity: found, name: "the entry \(text)", trail: [])
    }
    // A constant that is out of sight speaks by its name: `.accessToken`.
    if case .member(_, let name) = key.bare.kind, constant(key, in: scope) == nil,
      let found = Sensitivity.ofKey(name)
    {
      return Evidence(sensitivity: found, name: "the entry \(name)", trail: [])
    }
    return sensitivity(of: value, in: scope, depth: depth + 1)
  }

  /// Whether a value says only yes or no, how many, or when.
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

  package func isEmpty(_ value: Expression) -> Bool {
    if value.bare.isNull || value.bare.literal == "" { return true }
    if case .call(let callee, let arguments) = value.kind, arguments.isEmpty,
      case .name(let name) = callee.kind
    {
      return name == "String" || name == "NSNull" || name == "Data"
    }
    return false
  }

  // MARK: Names

  private func sensitivity(
    ofName name: String, _ expression: Expression, in scope: Scope, depth: Int
  ) -> Evidence? {
    if name == "self" || name == "_" { return nil }
    if name == "newValue", let property = property(setIn: scope) {
      if let type = property.type, isSilent(type) { return nil }
      return Sensitivity.ofName(property.name).map {
        Evidence(sensitivity: $0, name: property.name, trail: [])
      }
    }
    let meaning = meaning(of: name, in: scope)
    let declaredType: String? =
      switch meaning {
      case .local(_, let variable, _): variable?.type
      case .parameter(let parameter, _): parameter.type
      case .property(let variable, _, _), .global(let variable, _): variable.type
      case .unknown: nil
      }
    if let declaredType, isSilent(declaredType) { return nil }
    if let found = Sensitivity.ofName(name),
      declaredType != nil || speaks(name, expression, in: scope)
    {
      if isNameOfKey(meaning, name: name) { return nil }
      return Evidence(sensitivity: found, name: name, trail: [])
    }
    switch meaning {
    case .local(let bindings, _, let home):
      for binding in bindings.reversed() where binding.value !== expression {
        if let found = sensitivity(of: binding, in: home, depth: depth) {
          return found.through(home.location(of: binding.value.range), "goes into \(name)")
        }
      }
      return nil
    case .parameter(let parameter, let home):
      return sensitivity(of: parameter, in: home, depth: depth)
    case .property(let variable, let file, let owner):
      return sensitivity(of: variable, in: file, owner: owner, depth: depth)
    case .global(let variable, let file):
      return sensitivity(of: variable, in: file, owner: nil, depth: depth)
    case .unknown: return nil
    }
  }

  /// The property whose setter or observer this is.
  private func property(setIn scope: Scope) -> Variable? {
    guard let function = scope.function, let owner = scope.owner,
      let facts = project.types[owner]
    else { return nil }
    return facts.variables.values.first { variable, _ in
      variable.accessors.contains { $0 === function }
    }?.variable
  }

  private func sensitivity(
    of binding: Scope.Binding, in scope: Scope, depth: Int
  ) -> Evidence? {
    switch binding.part {
    case .whole, .some: return sensitivity(of: binding.value, in: scope, depth: depth + 1)
    case .element(let key):
      return sensitivity(ofEntry: key, binding.value, in: scope, depth: depth + 1)
    case .property(let name):
      if isEmpty(binding.value) || isFlag(binding.value, in: scope) { return nil }
      if Self.appearance.contains(name) { return nil }
      if let found = Sensitivity.ofName(name) {
        return Evidence(sensitivity: found, name: name, trail: [])
      }
      return nil
    }
  }

  /// What callers give for a parameter whose own name says nothing.
  private func sensitivity(
    of parameter: Parameter, in scope: Scope, depth: Int
  ) -> Evidence? {
    if let label = parameter.label, let found = Sensitivity.ofName(label), parameter.name != label {
      return Evidence(sensitivity: found, name: label, trail: [])
    }
    return nil
  }

  private func sensitivity(
    of variable: Variable, in file: SourceFile, owner: String?, depth: Int
  ) -> Evidence? {
    if let type = variable.type, isSilent(type) { return nil }
    let home = self.scope(of: variable, in: file, owner: owner)
    if let value = variable.value,
      let found = sensitivity(of: value, in: home, depth: depth + 2)
    {
      return found.through(home.location(of: value.range), "is kept in \(variable.name)")
    }
    if let getter = variable.accessors.first(where: { $0.name == "get" }), let body = getter.body,
      body.statements.count == 1
    {
      switch body.statements[0] {
      case .expression(let value), .returns(let value?):
        return sensitivity(of: value, in: home, depth: depth + 2)
      default: break
      }
    }
    guard let owner, variable.isConstant == false, depth < 4 else { return nil }
    for write in writes(to: variable.name, of: owner) {
      if let found = sensitivity(of: write.value, in: write.scope, depth: depth + 4) {
        return found.through(
          write.scope.location(of: write.value.range), "is kept in \(variable.name)")
      }
    }
    return nil
  }

  /// Whether a name without a written type may be of a secret, by what it is bound to.
  private func speaks(_ name: String, _ expression: Expression, in scope: Scope) -> Bool {
    guard let type = type(of: expression, in: scope) else { return true }
    return !isSilent(type)
  }

  /// Whether values of a type are no secrets: truth values, errors, controls, types of the project's own.
  package func isSilent(_ type: String) -> Bool {
    if type.contains("->") { return true }
    let plain = TypeName.plain(type)
    if Self.silentTypes.contains(plain) || plain.hasSuffix("Error") { return true }
    // A view, controller or service, whatever it is called.
    if plain.hasPrefix("UI") || plain.hasPrefix("NSLayout") || plain.hasSuffix("Controller")
      || plain.hasSuffix("View") || plain.hasSuffix("Manager") || plain.hasSuffix("Button")
      || plain.hasSuffix("Label") || plain.hasSuffix("Field") || plain.hasSuffix("Delegate")
    {
      return true
    }
    // An enum without associated values says which, not what.
    if let facts = project.types[plain],
      facts.declarations.contains(where: { $0.type.form == .enum })
    {
      return true
    }
    return false
  }

  /// Whether a constant is the key under which something is kept: `let PIN = "PIN"`,
  /// `tokenKey = "accessToken"`.
  private func isNameOfKey(_ meaning: Meaning, name: String) -> Bool {
    let variable: Variable
    switch meaning {
    case .property(let found, _, _), .global(let found, _): variable = found
    case .local(_, let found?, _): variable = found
    default: return false
    }
    guard variable.isConstant, let text = variable.value?.literal else { return false }
    return Literal.isIdentifier(text, named: name)
  }

  // MARK: Members

  private func sensitivity(
    ofMember name: String, of base: Expression?, _ expression: Expression, in scope: Scope,
    depth: Int
  ) -> Evidence? {
    if Self.projections.contains(name) { return nil }
    guard let base else { return nil }
    if Self.fieldTexts.contains(name), let found = sensitivity(ofField: base, in: scope) {
      return found
    }
    if Self.views.contains(name) {
      return sensitivity(of: base, in: scope, depth: depth + 1)
    }
    let meaning =
      isSelf(base)
      ? self.meaning(of: name, in: scope) : member(name, of: base, in: scope)
    switch meaning {
    case .property(let variable, let file, let owner):
      if let type = variable.type, isSilent(type) { return nil }
      if isNameOfKey(meaning, name: name) { return nil }
      if let found = Sensitivity.ofName(name) {
        return Evidence(sensitivity: found, name: expression.written, trail: [])
      }
      return sensitivity(of: variable, in: file, owner: owner, depth: depth)
    default:
      // A case of an enum, a constant of a framework.
      if name.first?.isUppercase == true { return nil }
      if case .name(let type) = base.kind, type.first?.isUppercase == true,
        project.types[type] == nil
      {
        return nil
      }
      guard let found = Sensitivity.ofName(name), speaks(name, expression, in: scope) else {
        return nil
      }
      return Evidence(sensitivity: found, name: expression.written, trail: [])
    }
  }

  package func isSelf(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name("self"), .name("weakSelf"), .name("strongSelf"), .name("Self"), .name("this"): true
    default: false
    }
  }

  /// What a text field is for: by its name, its interface file, or how code sets it up.
  func sensitivity(ofField field: Expression, in scope: Scope) -> Evidence? {
    guard let name = field.lastName else { return nil }
    let type = type(of: field, in: scope).map(TypeName.plain)
    if let type, type == "UILabel" || type == "UIButton" || type == "NSLabel" { return nil }
    let written = field.written + ".text"
    if let owner = scope.owner, let fact = project.resources.fields["\(owner).\(name)"] {
      if let found = fact.sensitivity {
        return Evidence(sensitivity: found, name: written, trail: [])
      }
      if fact.isSecure {
        return Evidence(sensitivity: .credential, name: "\(written), a secure field", trail: [])
      }
    }
    let isField =
      Sensitivity.isField(name) || type == "UITextField" || type == "UITextView"
      || type == "NSTextField" || type == "NSSecureTextField" || type == "UISearchBar"
    if isField, let found = Sensitivity.ofField(name) {
      return Evidence(sensitivity: found, name: written, trail: [])
    }
    guard isField, let owner = scope.owner, let facts = project.types[owner] else { return nil }
    for declaration in facts.declarations {
      for function in declaration.type.functions {
        guard let home = project.scope(of: function) else { continue }
        for binding in home.bindings[name] ?? [] {
          guard case .property(let property) = binding.part else { continue }
          if property == "isSecureTextEntry" || property == "secureTextEntry",
            case .boolean(true) = binding.value.kind
          {
            return Evidence(
              sensitivity: .credential, name: "\(written), a secure field", trail: [])
          }
          if property == "placeholder", let text = constant(binding.value, in: home)?.text,
            let found = Sensitivity.ofCaption(text)
          {
            return Evidence(
              sensitivity: found, name: "\(written), the field for \u{201C}\(text)\u{201D}",
              trail: [])
          }
        }
      }
    }
    return nil
  }

  // MARK: Calls

  private func sensitivity(
    ofCall callee: Expression, _ arguments: [Argument], _ expression: Expression, in scope: Scope,
    depth: Int
  ) -> Evidence? {
    guard let name = callee.lastName else {
      // `{ … }()`
      if case .closure = callee.kind { return nil }
      return first(of: arguments.map(\.value), in: scope, depth: depth + 1)
    }
    let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
    if Self.makesSafe(name) || Self.projections.contains(name) { return nil }
    if let receiver, Self.fieldTexts.contains(name),
      let found = sensitivity(ofField: receiver, in: scope)
    {
      return found
    }
    // Read back by a key: `defaults.string(forKey: "PIN")`, `keychain.get("token")`.
    if let key = Self.keyOfRead(name, arguments), let text = constant(key, in: scope)?.text {
      guard let found = Sensitivity.ofKey(text) else { return nil }
      return Evidence(sensitivity: found, name: "what is kept as \(text)", trail: [])
    }
    if let receiver, Self.views.contains(name) || Self.containers.contains(name) {
      if let found = sensitivity(of: receiver, in: scope, depth: depth + 1) { return found }
    }
    // `JSONSerialization.data(withJSONObject: …)` packs it too, under a name of many meanings.
    let packs =
      arguments.first?.label == "withJSONObject" || arguments.first?.label == "fromPropertyList"
    if packs || Self.conversions.contains(name) || Self.factories.contains(name)
      || Self.containers.contains(name)
    {
      var before = ""
      for argument in arguments where argument.label != "encoding" {
        if let found = sensitivity(of: argument.value, in: scope, depth: depth + 1) {
          return found
        }
        // The text of a format announces the values behind it.
        if let text = argument.value.literal { before = text }
      }
      return formatted(before, arguments, in: scope)
    }
    let declared = functions(
      called: name, receiver: receiver, in: scope, arguments: arguments.count)
    if let result = declared.first?.function.result, isSilent(result) { return nil }
    if declared.isEmpty || declared.contains(where: { $0.function.result != nil }),
      let found = Sensitivity.ofName(name), name.first?.isUppercase != true,
      arguments.count <= 2, !(receiver == nil && declared.isEmpty && arguments.isEmpty)
    {
      return Evidence(sensitivity: found, name: "the result of \(name)", trail: [])
    }
    for function in declared where depth < 4 {
      for result in function.scope.returns.prefix(4) {
        if let found = sensitivity(of: result, in: function.scope, depth: depth + 4) {
          return found.through(
            function.scope.location(of: result.range), "is returned by \(name)")
        }
      }
    }
    // An object of the project made with a secret carries it.
    if name.first?.isUppercase == true, !isSilent(name) {
      for argument in arguments {
        if isEmpty(argument.value) || isFlag(argument.value, in: scope) { continue }
        if let label = argument.label, let found = Sensitivity.ofName(label) {
          return Evidence(sensitivity: found, name: "\(label) of \(name)", trail: [])
        }
      }
    }
    return nil
  }

  /// What the text of a format announces: `"password=%@"`.
  package func formatted(_ format: String, _ arguments: [Argument], in scope: Scope) -> Evidence? {
    guard format.contains("%") else { return nil }
    let parts = format.split(separator: "%", omittingEmptySubsequences: false)
    let values = arguments.map(\.value).drop { $0.literal == nil }.dropFirst()
    for (part, value) in zip(parts, values) {
      if let found = announced(by: String(part), value, in: scope) { return found }
    }
    return nil
  }

  private static func keyOfRead(_ name: String, _ arguments: [Argument]) -> Expression? {
    guard let first = arguments.first else { return nil }
    if let label = first.label {
      return ["forKey", "key", "forKeyPath", "account"].contains(label)
        && arguments.count <= 2 ? first.value : nil
    }
    return keyReaders.contains(name) ? first.value : nil
  }

  private static let keyReaders: Set<String> = [
    "stringForKey", "objectForKey", "valueForKey", "objectForKeyedSubscript", "dataForKey", "get",
    "getString", "getData", "objectForInfoDictionaryKey", "passwordForService",
  ]

  /// Whether what a function gives no longer tells what it was given.
  package static func makesSafe(_ name: String) -> Bool {
    let words = Words.split(name)
    return words.contains { safeWords.contains($0) } && !words.contains("decrypt")
      && !words.contains("unhash")
  }

  private static let safeWords: Set<String> = [
    "encrypt", "encrypted", "encrypting", "seal", "sealed", "hash", "hashed", "hashing", "sha256",
    "sha512", "sha", "md5", "sha1", "hmac", "digest", "bcrypt", "scrypt", "argon2", "pbkdf2",
    "mask", "masked", "redact", "redacted", "obfuscate", "obfuscated", "wrap", "wrapped",
    "encipher",
    "ciphertext", "cipher", "protect", "protected", "authentication", "sign", "signature", "hkdf",
    "cccrypt", "derive", "fingerprint", "verify", "validate", "tokenize", "strength",
  ]

  /// Members that tell of a value and not what it is.
  static let projections: Set<String> = [
    "count", "length", "isEmpty", "hash", "hashValue", "startIndex", "endIndex", "indices",
    "isSecureTextEntry", "isHidden", "isEnabled", "frame", "bounds", "delegate", "placeholder",
    "range", "expiresAt", "expirationDate", "error", "localizedDescription", "capacity", "debug",
    "isValid", "hasPrefix", "hasSuffix", "contains", "isEqual", "isEqualToString", "type", "kind",
    "class", "retainCount", "superview", "tag", "statusCode", "code", "isExpired",
    "becomeFirstResponder",
    "resignFirstResponder", "firstIndex", "index", "range of", "elementsEqual", "compare", "font",
    "textColor", "borderStyle", "layer", "rangeOfString", "distance",
  ]

  package static let fieldTexts: Set<String> = [
    "text", "attributedText", "stringValue", "attributedStringValue", "getText", "enteredText",
  ]

  /// Calls that pack what they are given.
  package static let containers: Set<String> = [
    "encode", "archivedData", "archivedDataWithRootObject", "dataWithJSONObject", "serialize",
    "dataWithPropertyList", "propertyList", "jsonString", "toJSON", "asDictionary", "toDictionary",
    "dictionaryWithObjectsAndKeys", "dictionaryWithObject", "dictionaryWithObjects",
    "arrayWithObjects", "arrayWithObject", "dictionaryWithDictionary", "arrayWithArray",
    "NSDictionary", "NSMutableDictionary", "NSArray", "NSMutableArray", "Dictionary",
    "initWithDictionary", "initWithObjectsAndKeys", "setWithObject", "NSAttributedString",
    "NSKeyedArchiver", "merging", "JSONSerialization", "queryItem", "URLQueryItem", "Optional",
    "stringByAppendingFormat", "stringByAppendingPathComponent", "NSItemProvider",
    "componentsJoinedByString",
    "joined", "AnyHashable", "AnyCodable", "jsonData", "toJSONString", "AttributedString",
  ]

  static let silentTypes: Set<String> = [
    "Bool", "BOOL", "bool", "Void", "void", "Error", "NSError", "OSStatus", "CGFloat", "CGRect",
    "Date", "NSDate", "TimeInterval", "IndexPath", "NSIndexPath", "Selector", "SEL", "Timer",
    "UIColor", "UIFont", "UIImage", "NSRange", "Never", "CGSize", "CGPoint", "URLResponse",
    "HTTPURLResponse", "NSObjectProtocol", "AnyCancellable", "DispatchQueue", "LAContext",
    "URLSessionTask", "dispatch_once_t", "CBLDatabase", "NotificationToken", "RLMNotificationToken",
    "SyntaxKind", "TokenSyntax", "LAError", "NSComparisonResult", "ComparisonResult",
    "Notification",
    "NSNotification", "UInt8", "DispatchWorkItem", "Cancellable",
  ]

  /// Properties of controls by which nothing is kept.
  private static let appearance: Set<String> = [
    "placeholder", "delegate", "isSecureTextEntry", "secureTextEntry", "isHidden", "hidden", "text",
    "textColor", "font", "frame", "title", "isEnabled", "tag",
  ]
}

extension Expression {
  /// The text that stands right before what is added to it: a literal, or the end of a sum.
  fileprivate var lastText: String? {
    if case .binary(_, "+", let right) = kind { return right.literal }
    return literal
  }

  /// As a person would point at it: names and dots, no more than 60 characters.
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
