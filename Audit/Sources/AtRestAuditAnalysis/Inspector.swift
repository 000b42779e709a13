import AtRestAuditModel

/// Determines what an expression is: its type, its constant value, and whether it is sensitive.
///
/// It works backwards from the expression through local variables, properties, constants of other
/// files, default arguments, results of functions and arguments of callers, each for a bounded
/// number of steps.
package struct Inspector {
  package let project: ProjectFacts
  /// The uses of values as secrets, which names with several meanings need. Without them, each name
  /// is taken at its word.
  package let uses: SecretUses?
  let effort = Effort()

  package init(project: ProjectFacts, uses: SecretUses? = nil) {
    self.project = project
    self.uses = uses
  }

  /// The maximum number of steps from an expression to its origin.
  static let furthest = 12

  /// The declaration that a name refers to.
  package enum Meaning {
    case local([Scope.Binding], Variable?, Scope)
    case parameter(Parameter, Scope)
    case property(Variable, SourceFile, owner: String)
    case global(Variable, SourceFile)
    /// A parameter of a closure, with its index.
    case closure(Scope.Handler, Int, Scope)
    case unknown
  }

  /// Returns the declaration that a name refers to in a scope, which is the nearest one.
  ///
  /// - Parameter place: The mention of the name, which shows the closures that it is in.
  package func meaning(
    of name: String, in scope: Scope, at place: Expression? = nil
  ) -> Meaning {
    var inner: Scope? = scope
    while let current = inner {
      if let place, let found = current.handler(binding: name, at: place) {
        return .closure(found.handler, found.index, current)
      }
      let variable = current.declared[name]
      if variable != nil { return .local(current.bindings[name] ?? [], variable, current) }
      if let parameter = current.parameter(name) { return .parameter(parameter, current) }
      inner = current.parent
    }
    if let owner = scope.owner, let found = project.property(name, of: owner, near: scope.file) {
      return .property(found.variable, found.file, owner: owner)
    }
    if let found = project.globals[name] {
      // Targets may have constants of the same name.
      let near = Nearness.nearest(found, to: scope.file) { $0.file }
      if near.count < 3, let own = near.first(where: { $0.variable.value != nil }) ?? near.first {
        return .global(own.variable, own.file)
      }
    }
    if let bindings = scope.bindings[name] { return .local(bindings, nil, scope) }
    return .unknown
  }

  /// Returns the declaration of a member of one of the project's types: `Constants.key`,
  /// `self.token`, `user.pin`.
  func member(_ name: String, of base: Expression, in scope: Scope) -> Meaning {
    guard let type = type(of: base, in: scope),
      let found = project.property(name, of: type, near: scope.file)
    else { return .unknown }
    return .property(found.variable, found.file, owner: TypeName.plain(type))
  }

  /// Returns the values that the methods of a type assign to a property. The list is empty if there
  /// are too many.
  package func writes(to name: String, of owner: String) -> [(value: Expression, scope: Scope)] {
    let writes = project.writes[owner]?[name] ?? []
    return writes.count > 20 ? [] : writes
  }

  /// Returns what the methods of a type add to a dictionary or list in a property. The list is empty if there
  /// is too much.
  func additions(
    to variable: Variable, of owner: String
  ) -> [(binding: Scope.Binding, scope: Scope)] {
    let name = variable.name
    let additions = ["", "_"].flatMap { project.additions[owner]?[$0 + name] ?? [] }
    return additions.count > 20 ? [] : additions
  }

  /// Returns the scope of the initial value of a property or global.
  package func scope(of variable: Variable, in file: SourceFile, owner: String?) -> Scope {
    Scope(file: file, owner: owner, function: nil, parent: nil)
  }

  /// Returns the functions of the project that a call may refer to. The list is empty if they
  /// cannot be determined.
  package func functions(
    called name: String, receiver: Expression?, in scope: Scope, arguments: Int, depth: Int = 0
  ) -> [ProjectFacts.DeclaredFunction] {
    guard let found = project.functions[name] else { return [] }
    return effort.ask { functions(found, called: name, receiver, in: scope, arguments, depth) }
      ?? []
  }

  private func functions(
    _ found: [ProjectFacts.DeclaredFunction], called name: String, _ receiver: Expression?,
    in scope: Scope, _ arguments: Int, _ depth: Int
  ) -> [ProjectFacts.DeclaredFunction] {
    let isValue = Self.isValue(receiver)
    func fitting(_ all: [ProjectFacts.DeclaredFunction]) -> [ProjectFacts.DeclaredFunction] {
      all.filter {
        $0.function.parameters.count >= arguments && $0.function.body != nil
          && !($0.function.isStatic && isValue)
      }
    }
    if found.count > 1 {
      let owner =
        receiver == nil
        ? scope.owner : receiver.flatMap { type(of: $0, in: scope, depth: depth) }
      if let owner, let own = project.methods[TypeName.plain(owner)]?[name] {
        let own = fitting(own)
        if !own.isEmpty { return own.count <= 4 ? own : [] }
      }
    }
    return found.count <= 4 ? fitting(found) : []
  }

  /// Returns true if an expression contains one of these names, directly or through local
  /// variables.
  package func involves(
    _ names: Set<String>, _ expression: Expression, in scope: Scope, depth: Int = 0
  ) -> Bool {
    guard depth < Self.furthest else { return false }
    func inner(_ expression: Expression) -> Bool {
      involves(names, expression, in: scope, depth: depth + 1)
    }
    switch expression.bare.kind {
    case .member(let base, let name): return names.contains(name) || base.map(inner) ?? false
    case .call(let callee, let arguments):
      return inner(callee)
        || arguments.contains {
          ($0.label.map(names.contains) ?? false) || inner($0.value)
        }
    case .name(let name):
      if names.contains(name) { return true }
      switch meaning(of: name, in: scope, at: expression.bare) {
      case .local(let bindings, _, let home):
        return bindings.contains {
          $0.value !== expression && involves(names, $0.value, in: home, depth: depth + 1)
        }
      case .property(let variable, let file, let owner):
        let home = self.scope(of: variable, in: file, owner: owner)
        return variable.value.map { involves(names, $0, in: home, depth: depth + 1) } ?? false
      default: return false
      }
    case .binary(let left, _, let right): return inner(left) || inner(right)
    case .choice(_, let values), .array(let values): return values.contains(where: inner)
    case .string(let pieces):
      return pieces.contains {
        if case .value(let arguments) = $0 { arguments.contains { inner($0.value) } } else { false }
      }
    default: return false
    }
  }
}
