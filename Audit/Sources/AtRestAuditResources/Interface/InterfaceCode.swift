import AtRestAuditModel

/// The attributes that code sets on fields of interface files: `field.isSecureTextEntry = true`.
package struct InterfaceCode: Sendable {
  /// Fields that code makes secure.
  private var secured: Set<InterfaceField.Outlet> = []
  /// Fields whose autocorrection or spell checking code turns off.
  private var uncorrected: Set<InterfaceField.Outlet> = []
  /// Fields whose visibility code sets.
  private var shown: Set<InterfaceField.Outlet> = []
  /// The fields whose texts code sets and reads.
  private var uses = FieldUses()
  /// Classes that make themselves secure.
  private var securedClasses: Set<String> = []
  /// Classes that turn off their own autocorrection or spell checking.
  private var uncorrectedClasses: Set<String> = []
  /// The names of all types in the code.
  private var types: Set<String> = []
  /// The first type from which each class inherits.
  private var parents: [String: String] = [:]

  /// Creates an empty value: code sets nothing.
  package init() {}

  /// Collects the settings from all code of a project.
  package init(_ sources: [SourceFile]) {
    for source in sources {
      for type in source.types {
        look(at: type)
        uses.look(at: type)
      }
    }
  }

  /// Returns true if code makes the field secure at some point.
  package func secures(_ field: InterfaceField) -> Bool {
    field.customClass.map { hasClass($0, in: securedClasses) || isSecureByName($0) } ?? false
      || field.outlets.contains { decides($0, in: secured) }
  }

  /// Returns true if people can see the field: it is visible in the file or code may show it, and the
  /// project still has the class of its scene.
  package func shows(_ field: InterfaceField) -> Bool {
    if field.location.path.hasSuffix(".storyboard"), let owner = field.owner, !types.isEmpty,
      !types.contains(owner)
    {
      return false
    }
    return !field.isHidden || field.outlets.contains { decides($0, in: shown) }
  }

  /// Returns true if the code shows a text in the field and never looks at what was typed.
  package func onlyDisplays(_ field: InterfaceField) -> Bool {
    !field.outlets.isEmpty
      && field.outlets.allSatisfy { decides($0, in: uses.written) && !decides($0, in: uses.read) }
  }

  /// Returns true if code turns off the field's autocorrection or spell checking.
  package func stopsCorrection(of field: InterfaceField) -> Bool {
    field.customClass.map { hasClass($0, in: uncorrectedClasses) } ?? false
      || field.outlets.contains { decides($0, in: uncorrected) }
  }

  /// Returns true if the project has no code of the class, and the class's name shows that it is
  /// for secrets.
  private func isSecureByName(_ name: String) -> Bool {
    !types.contains(name) && !Words.split(name).allSatisfy { !Self.secureWords.contains($0) }
  }

  private static let secureWords: Set<String> = [
    "secure", "secured", "password", "passcode", "masked",
  ]

  private func ancestors(of name: String) -> [String] {
    var chain = [name]
    while chain.count < 20, let next = parents[chain[chain.count - 1]] { chain.append(next) }
    return chain
  }

  private func hasClass(_ name: String, in classes: Set<String>) -> Bool {
    !classes.isEmpty && ancestors(of: name).contains { classes.contains($0) }
  }

  private func decides(
    _ outlet: InterfaceField.Outlet, in decided: Set<InterfaceField.Outlet>
  ) -> Bool {
    guard let owner = outlet.owner else { return decided.contains { $0.name == outlet.name } }
    return ancestors(of: owner).contains {
      decided.contains(InterfaceField.Outlet(owner: $0, name: outlet.name))
    }
  }

  // MARK: Code

  private mutating func look(at type: TypeDeclaration) {
    types.insert(type.name)
    if type.form == .class, let parent = type.inherited.first { parents[type.name] = parent }
    for variable in type.variables { look(at: variable, of: type.name) }
    for function in type.functions { look(at: function.body, of: type.name, names: [:]) }
    for inner in type.types { look(at: inner) }
  }

  private mutating func look(at variable: Variable, of owner: String) {
    for accessor in variable.accessors { look(at: accessor.body, of: owner, names: [:]) }
    if let value = variable.value { look(at: value, of: owner, names: [:]) }
  }

  /// - Parameter names: The names of the fields that each loop variable stands for.
  private mutating func look(at block: Block?, of owner: String, names: [String: [String]]) {
    for statement in block?.statements ?? [] { look(at: statement, of: owner, names: names) }
  }

  private mutating func look(
    at statement: Statement, of owner: String, names: [String: [String]]
  ) {
    switch statement {
    case .expression(let expression), .returns(let expression?):
      look(at: expression, of: owner, names: names)
    case .variable(let variable):
      if let value = variable.value { look(at: value, of: owner, names: names) }
    case .branch(let conditions, let body, let otherwise):
      for condition in conditions { look(at: condition, of: owner, names: names) }
      look(at: body, of: owner, names: names)
      look(at: otherwise, of: owner, names: names)
    case .loop(let variables, let sequence, let body):
      var inner = names
      if let name = variables.first { inner[name] = Self.elements(of: sequence) }
      look(at: body, of: owner, names: inner)
    case .selection(_, let cases):
      for one in cases { look(at: one.body, of: owner, names: names) }
    case .block(let body), .conditional(_, let body): look(at: body, of: owner, names: names)
    case .function(let function): look(at: function.body, of: owner, names: names)
    case .type(let type): look(at: type)
    case .returns(nil): break
    }
  }

  private mutating func look(
    at expression: Expression, of owner: String, names: [String: [String]]
  ) {
    switch expression.kind {
    case .assignment(let target, _, let value):
      if case .member(let base, let property) = target.kind {
        decide(property, value, base: base, of: owner, names: names)
      } else if case .name(let property) = target.kind {
        decide(property, value, base: nil, of: owner, names: names)
      }
      look(at: value, of: owner, names: names)
    case .call(let function, let arguments):
      var inner = names
      if case .member(let base?, let method) = function.kind {
        // `field.isSecureTextEntry.toggle()`
        if method == "toggle", case .member(let field, let property) = base.kind {
          decide(property, function, base: field, of: owner, names: names)
        }
        if method == "forEach" { inner["$0"] = Self.elements(of: base) }
        // `[field setSecureTextEntry:YES]`
        if let property = Self.setters[method], arguments.count == 1 {
          decide(property, arguments[0].value, base: base, of: owner, names: names)
        }
        look(at: base, of: owner, names: names)
      }
      for argument in arguments {
        if case .closure(let closure) = argument.value.kind {
          var names = inner
          if let name = closure.parameters.first { names[name] = inner["$0"] }
          look(at: closure.body, of: owner, names: names)
        } else {
          look(at: argument.value, of: owner, names: inner)
        }
      }
    case .closure(let closure): look(at: closure.body, of: owner, names: names)
    case .other(let parts), .array(let parts):
      for part in parts { look(at: part, of: owner, names: names) }
    default: break
    }
  }

  private mutating func decide(
    _ property: String, _ value: Expression, base: Expression?, of owner: String,
    names: [String: [String]]
  ) {
    guard let name = Self.lastName(of: base), name != "self", name != "super" else {
      switch property {
      case "isSecureTextEntry", "secureTextEntry":
        if !Self.isFalse(value) { securedClasses.insert(owner) }
      case "autocorrectionType", "spellCheckingType":
        if Self.isOff(value) { uncorrectedClasses.insert(owner) }
      default: break
      }
      return
    }
    for outlet in (names[name] ?? [name]).map({ InterfaceField.Outlet(owner: owner, name: $0) }) {
      switch property {
      // A computed value counts as true. Code that turns security off does not make a field secure.
      case "isSecureTextEntry", "secureTextEntry":
        if !Self.isFalse(value) { secured.insert(outlet) }
      case "autocorrectionType", "spellCheckingType":
        if Self.isOff(value) { uncorrected.insert(outlet) }
      case "isHidden", "hidden":
        if case .boolean(true) = value.kind { break }
        shown.insert(outlet)
      default: return
      }
    }
  }

  private static func isFalse(_ value: Expression) -> Bool {
    if case .boolean(false) = value.kind { true } else { false }
  }

  private static let setters = [
    "setSecureTextEntry": "secureTextEntry", "setAutocorrectionType": "autocorrectionType",
    "setSpellCheckingType": "spellCheckingType", "setHidden": "isHidden",
  ]

  private static func isOff(_ value: Expression) -> Bool {
    switch value.kind {
    case .member(_, let name), .name(let name): name == "no" || name.hasSuffix("TypeNo")
    default: false
    }
  }

  private static func lastName(of base: Expression?) -> String? {
    switch base?.kind {
    case .name(let name): name
    case .member(_, let name): name
    default: nil
    }
  }

  private static func elements(of sequence: Expression) -> [String] {
    guard case .array(let parts) = sequence.kind else {
      return lastName(of: sequence).map { [$0] } ?? []
    }
    return parts.compactMap { lastName(of: $0) }
  }
}
