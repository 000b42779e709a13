import AtRestAuditModel

extension Inspector {
  func sensitivity(
    ofName name: String, _ expression: Expression, in scope: Scope, depth: Int
  ) -> Evidence? {
    if name == "self" || name == "_" { return nil }
    if name == "newValue", let property = property(setIn: scope) {
      if let type = property.type, !couldHold(type, named: property.name) { return nil }
      guard isCredible(property.name, owner: scope.owner, in: scope) else { return nil }
      return SensitiveKind.ofName(property.name).map {
        Evidence(
          sensitivity: $0, name: property.name, owner: scope.owner, type: property.type)
      }
    }
    let meaning = meaning(of: name, in: scope, at: expression)
    let declaredType: String? =
      switch meaning {
      case .local(_, let variable, _): variable?.type
      case .parameter(let parameter, _): parameter.type
      case .property(let variable, _, _), .global(let variable, _): variable.type
      case .closure(let handler, let index, let home):
        type(of: handler, index, in: home, depth: 4)
      case .unknown: nil
      }
    if let declaredType, isSilent(declaredType) { return nil }
    if let found = SensitiveKind.ofName(name) {
      let type = declaredType ?? type(of: expression, in: scope)
      if let type, !couldHold(type, named: name) { return nil }
      if isNameOfKey(meaning, name: name) { return nil }
      let owner: String? = if case .property(_, _, let owner) = meaning { owner } else { nil }
      let field = typed(meaning, at: expression)
      if field != nil || isCredible(name, owner: owner, in: scope) {
        return Evidence(sensitivity: found, name: name, owner: owner, type: type)
          .supported(by: field)
      }
    }
    switch meaning {
    case .local(let bindings, _, let home):
      for binding in Self.current(bindings, at: expression).reversed()
      where binding.value !== expression {
        if let found = sensitivity(of: binding, in: home, depth: depth) {
          if found.name == Self.nameOfCookies, isOther(cookie: name, in: scope) { return nil }
          return found.through(home.location(of: binding.value.range), "is assigned to \(name)")
        }
      }
      return contents(of: name, declaredType, in: home)
    case .parameter(let parameter, let home):
      return sensitivity(of: parameter, in: home, depth: depth)
        ?? contents(of: name, declaredType, in: home)
    case .property(let variable, let file, let owner):
      return sensitivity(of: variable, in: file, owner: owner, depth: depth)
    case .global(let variable, let file):
      return sensitivity(of: variable, in: file, owner: nil, depth: depth)
    case .closure(let handler, let index, let home):
      return sensitivity(of: handler, index, name, in: home, depth: depth)
        ?? contents(of: name, declaredType, in: home)
    case .unknown:
      // `$token` is the publisher of a property.
      guard name.utf8.first == UInt8(ascii: "$"), name.utf8.count > 1 else { return nil }
      let inner = Expression(.name(String(name.dropFirst())), expression.range)
      return sensitivity(of: inner, in: scope, depth: depth + 1)
    }
  }

  /// Returns the bindings that a mention of a variable may refer to. A variable that is used again and
  /// again has the value that was assigned last.
  private static func current(
    _ bindings: [Scope.Binding], at mention: Expression
  ) -> [Scope.Binding] {
    func isWhole(_ binding: Scope.Binding) -> Bool {
      switch binding.part {
      case .whole, .pieces: true
      default: false
      }
    }
    guard bindings.count(where: isWhole) > 4,
      let last = bindings.last(where: { isWhole($0) && $0.offset <= mention.range.lowerBound })
    else { return bindings }
    return [last] + bindings.filter { !isWhole($0) }
  }

  private func sensitivity(
    of handler: Scope.Handler, _ index: Int, _ name: String, in scope: Scope, depth: Int
  ) -> Evidence? {
    for (value, home) in values(of: handler, index, in: scope) {
      if let found = sensitivity(of: value, in: home, depth: depth + 2) {
        return found.through(
          home.location(of: value.range),
          name.hasPrefix("$") ? "is given to a closure" : "is given to a closure as \(name)")
      }
    }
    return cookies(to: handler, index) ?? named(handler, index, in: scope)
      ?? answer(to: handler, index, name, in: scope, depth: depth)
  }

  /// Returns the property whose getter is the scope's function, or nil if it is not a getter.
  package func property(readIn scope: Scope) -> Variable? { property(setIn: scope) }

  /// Returns the property whose accessor or observer is the scope's function, or nil if the function
  /// is neither.
  func property(setIn scope: Scope) -> Variable? {
    guard let function = scope.function, let owner = scope.owner,
      let facts = project.types[owner]
    else { return nil }
    return facts.variables.values.first { variable, _ in
      variable.accessors.contains { $0 === function }
    }?.variable
  }

  func sensitivity(
    of binding: Scope.Binding, in scope: Scope, depth: Int
  ) -> Evidence? {
    switch binding.part {
    case .whole, .some: return sensitivity(of: binding.value, in: scope, depth: depth + 1)
    case .pieces(let pieces):
      return sensitivity(pieces, of: binding.value, in: scope, depth: depth)
    case .element(let key):
      return sensitivity(ofEntry: key, binding.value, in: scope, depth: depth + 1)
    case .header: return nil
    case .property(let name):
      if isEmpty(binding.value) || isFlag(binding.value, in: scope) { return nil }
      if Self.partsOfURL.contains(name) {
        return sensitivity(of: binding.value, in: scope, depth: depth + 1)
      }
      if Self.appearance.contains(name) { return nil }
      guard let found = SensitiveKind.ofName(name), isCredible(name, in: scope) else { return nil }
      return Evidence(
        sensitivity: found, name: name, type: type(of: binding.value, in: scope))
    }
  }

  /// Returns evidence if the label of a parameter is sensitive and differs from its name.
  func sensitivity(
    of parameter: Parameter, in scope: Scope, depth: Int
  ) -> Evidence? {
    if let label = parameter.label, let found = SensitiveKind.ofName(label),
      parameter.name != label, isCredible(label, in: scope),
      parameter.type.map({ couldHold($0, named: label) }) ?? true
    {
      return Evidence(sensitivity: found, name: label, type: parameter.type)
    }
    // `setSessionToken:(NSString *)value`. The name of a function with several parameters is about all.
    let words = Words.split(scope.function?.name ?? "")
    if words.count > 2, scope.function?.parameters.count == 1, UseTable.stores.contains(words[0]),
      scope.function?.parameters.first?.name == parameter.name
    {
      let name = words.dropFirst().joined(separator: "_")
      if let found = SensitiveKind.ofName(name), !WeakNames.contains(name),
        parameter.type.map({ couldHold($0, named: name) }) ?? true
      {
        return Evidence(
          sensitivity: found, name: "\(parameter.name) of \(scope.function?.name ?? "")",
          subject: name, type: parameter.type)
      }
    }
    return nil
  }

  func sensitivity(
    of variable: Variable, in file: SourceFile, owner: String?, depth: Int
  ) -> Evidence? {
    if let type = variable.type, isSilent(type) { return nil }
    let home = self.scope(of: variable, in: file, owner: owner)
    if let value = variable.value,
      let found = variable.pieces.isEmpty
        ? sensitivity(of: value, in: home, depth: depth + 2)
        : sensitivity(variable.pieces, of: value, in: home, depth: depth + 2)
    {
      return found.through(home.location(of: value.range), "is stored in \(variable.name)")
    }
    if let getter = variable.accessors.first(where: { $0.name == "get" }),
      let inner = project.scope(of: getter)
    {
      if let found = first(of: Array(inner.returns.prefix(4)), in: inner, depth: depth + 2) {
        return found
      }
      if getter.body?.statements.count == 1 { return nil }
    }
    guard let owner, depth < 4 else { return nil }
    for (binding, scope) in additions(to: variable, of: owner) {
      if let found = sensitivity(of: binding, in: scope, depth: depth + 4) {
        return found.through(
          scope.location(of: binding.value.range), "is added to \(variable.name)")
      }
    }
    for write in writes(to: variable.name, of: owner) {
      if let found = delegated(write.value, in: write.scope, depth: depth + 4) { return found }
      guard !variable.isConstant else { continue }
      if let found = sensitivity(of: write.value, in: write.scope, depth: depth + 4) {
        return found.through(
          write.scope.location(of: write.value.range), "is stored in \(variable.name)")
      }
    }
    return nil
  }

  /// Returns the evidence of what another initialiser of the same type gives to the parameter that a value is:
  /// `self.init(values: values)`.
  private func delegated(_ value: Expression, in scope: Scope, depth: Int) -> Evidence? {
    guard case .name(let name) = value.bare.kind, scope.function?.name == "init",
      let parameter = scope.parameter(name)
    else { return nil }
    let label = parameter.label ?? name
    for other in scope.owner.flatMap({ project.methods[$0]?["init"] }) ?? [] {
      for call in other.scope.calls where call.name == "init" && call.receiver?.isSelf == true {
        guard let given = call[label],
          let found = sensitivity(of: given, in: other.scope, depth: depth)
        else { continue }
        return found.through(other.scope.location(of: given.range), "is given to init")
      }
    }
    return nil
  }

  /// Returns the evidence that a variable holds the text of a field, or an item of the keychain.
  private func typed(_ meaning: Meaning, at expression: Expression) -> Evidence? {
    guard case .local(let bindings, _, let home) = meaning else { return nil }
    for binding in Self.current(bindings, at: expression).reversed() {
      switch binding.part {
      case .whole, .pieces: break
      default: continue
      }
      for (value, home) in values(of: binding, in: home) where value !== expression {
        let found = sensitivity(of: value, in: home, depth: Self.furthest - 3)
        switch found?.source {
        case .field, .secureField, .keychain: return found
        default: continue
        }
      }
    }
    return nil
  }

  /// Returns true if values of a type are not secrets: truth values, errors, controls, and enums of
  /// the project.
  package func isSilent(_ type: String) -> Bool {
    if type.contains("->") { return true }
    let plain = TypeName.plain(type)
    if Self.silentTypes.contains(plain) || plain.hasSuffix("Error") { return true }
    // Views, controllers and services are not secrets, whatever their names.
    if plain.hasPrefix("UI") || plain.hasPrefix("NSLayout") || plain.hasSuffix("Controller")
      || plain.hasSuffix("View") || plain.hasSuffix("Manager") || plain.hasSuffix("Button")
      || plain.hasSuffix("Label") || plain.hasSuffix("Field") || plain.hasSuffix("Delegate")
    {
      return true
    }
    // A value of an enum is treated as a choice, not as a secret.
    if let facts = project.types[plain],
      facts.declarations.contains(where: { $0.type.form == .enum })
    {
      return true
    }
    return false
  }

  /// Returns true if a constant is the key under which a value is stored: `let PIN = "PIN"`,
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

  func sensitivity(
    ofMember name: String, of base: Expression?, _ expression: Expression, in scope: Scope,
    depth: Int
  ) -> Evidence? {
    // `User.self` is a type.
    if Self.projections.contains(name) || name == "self" { return nil }
    guard let base else { return nil }
    if let index = Int(name) {
      return sensitivity([.element(index)], of: base, in: scope, depth: depth + 1)
    }
    if let found = cookies(name, of: base, in: scope) { return found }
    // ASAuthorization describes the kind of sign-in, and prints nothing of it.
    if name == "credential", base.lastName == "authorization" { return nil }
    if Self.fieldTexts.contains(name),
      let found = sensitivity(ofField: base, in: scope)
        ?? sensitivity(shownIn: base, in: scope, depth: depth)
    {
      return found
    }
    // It says how many bytes there are.
    if name == "description" || name == "debugDescription",
      type(of: base, in: scope).map(TypeName.plain) == "Data"
    {
      return nil
    }
    if name == "allHTTPHeaderFields" {
      return sensitivity(ofHeaders: base, in: scope, depth: depth)
    }
    if Self.views.contains(name) || Self.viewsOfURL.contains(name)
      || Self.streams.contains(name) && !isOwn(name, of: base, in: scope)
    {
      if let found = sensitivity(of: base, in: scope, depth: depth + 1) { return found }
      if !Self.viewsOfURL.contains(name) { return nil }
    }
    let meaning =
      isSelf(base)
      ? self.meaning(of: name, in: scope) : member(name, of: base, in: scope)
    switch meaning {
    case .property(let variable, let file, let owner):
      if let type = variable.type, isSilent(type) { return nil }
      if isNameOfKey(meaning, name: name) { return nil }
      if let found = SensitiveKind.ofName(name), isCredible(name, owner: owner, in: scope) {
        let type = variable.type ?? type(of: expression, in: scope)
        if let type, !couldHold(type, named: name) { return nil }
        return Evidence(
          sensitivity: found, name: expression.written, subject: name, owner: owner, type: type)
      }
      return sensitivity(of: variable, in: file, owner: owner, depth: depth)
    default:
      // This is a case of an enum or a constant of a framework.
      if name.first?.isUppercase == true { return nil }
      if case .name(let type) = base.kind, type.first?.isUppercase == true,
        project.types[type] == nil
      {
        return nil
      }
      guard let found = SensitiveKind.ofName(name) else { return nil }
      let type = type(of: expression, in: scope)
      if let type, !couldHold(type, named: name) { return nil }
      let owner = self.type(of: base, in: scope) ?? base.lastName
      guard isCredible(name, owner: owner, in: scope) else { return nil }
      return Evidence(
        sensitivity: found, name: expression.written, subject: name, owner: owner, type: type)
    }
  }

  /// Returns true if a type of the project declares the member: the `values` of a token are its own.
  private func isOwn(_ name: String, of base: Expression, in scope: Scope) -> Bool {
    guard name == "values", case .property = member(name, of: base, in: scope) else { return false }
    return true
  }

  package func isSelf(_ expression: Expression) -> Bool { expression.isSelf }

  /// Returns the evidence that a text field is sensitive, from its name, its interface file or its
  /// set-up in code, or nil if there is none.
  func sensitivity(ofField field: Expression, in scope: Scope) -> Evidence? {
    // `field.rx.text`
    if case .member(let base?, "rx") = field.kind { return sensitivity(ofField: base, in: scope) }
    guard let name = field.lastName else { return nil }
    let type = type(of: field, in: scope).map(TypeName.plain)
    if let type, type == "UILabel" || type == "UIButton" || type == "NSLabel" { return nil }
    let written = field.written + ".text"
    if let owner = scope.owner, let fact = project.resources.fields["\(owner).\(name)"] {
      if let found = fact.sensitivity {
        return Evidence(
          sensitivity: found, name: written, source: fact.isSecure ? .secureField : .field,
          subject: name)
      }
      if fact.isSecure {
        return Evidence(
          sensitivity: .credential, name: "\(written), a secure field", source: .secureField,
          subject: name)
      }
    }
    let isField =
      SensitiveKind.isField(name) || type == "UITextField" || type == "UITextView"
      || type == "NSTextField" || type == "NSSecureTextField" || type == "UISearchBar"
    if isField, let found = SensitiveKind.ofField(name) {
      return Evidence(
        sensitivity: found, name: written,
        source: type == "NSSecureTextField" ? .secureField : .field, subject: name)
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
              sensitivity: .credential, name: "\(written), a secure field",
              source: .secureField, subject: name)
          }
          if property == "placeholder", let text = constant(binding.value, in: home)?.text,
            let found = SensitiveKind.ofCaption(text)
          {
            return Evidence(
              sensitivity: found, name: "\(written), the field for \u{201C}\(text)\u{201D}",
              source: .field, subject: name)
          }
        }
      }
    }
    return nil
  }
}
