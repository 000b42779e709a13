/// Answers what an expression is: its type, its constant value, whether it is sensitive.
///
/// Answers are sought from the question backwards, through local variables, properties, constants of
/// other files, default arguments, results of functions and arguments of callers, each a bounded number
/// of steps.
struct Inspector: Sendable {
  let project: ProjectFacts
  /// Steps from the question to an answer.
  static let furthest = 12

  /// What a name stands for where it is used.
  enum Meaning {
    case local([Scope.Binding], Variable?, Scope)
    case parameter(Parameter, Scope)
    case property(Variable, SourceFile, owner: String)
    case global(Variable, SourceFile)
    case unknown
  }

  /// What a name means in a scope: the nearest declaration counts.
  func meaning(of name: String, in scope: Scope) -> Meaning {
    var inner: Scope? = scope
    while let current = inner {
      let variable = current.declared[name]
      if variable != nil { return .local(current.bindings[name] ?? [], variable, current) }
      if let parameter = current.parameter(name) { return .parameter(parameter, current) }
      inner = current.parent
    }
    if let owner = scope.owner, let found = project.property(name, of: owner) {
      return .property(found.variable, found.file, owner: owner)
    }
    if let found = project.globals[name] {
      let fallback = found.first { $0.variable.value != nil } ?? found.first
      let own = found.first { $0.file === scope.file } ?? (found.count < 3 ? fallback : nil)
      if let own { return .global(own.variable, own.file) }
    }
    if let bindings = scope.bindings[name] { return .local(bindings, nil, scope) }
    return .unknown
  }

  /// What a member of a type of the project stands for: `Constants.key`, `self.token`, `user.pin`.
  func member(_ name: String, of base: Expression, in scope: Scope) -> Meaning {
    guard let type = type(of: base, in: scope),
      let found = project.property(name, of: type)
    else { return .unknown }
    return .property(found.variable, found.file, owner: TypeName.plain(type))
  }

  /// What is written to a property anywhere in the methods of its type, if they are not too many.
  func writes(to name: String, of owner: String) -> [(value: Expression, scope: Scope)] {
    guard let facts = project.types[owner] else { return [] }
    var writes: [(value: Expression, scope: Scope)] = []
    for declaration in facts.declarations {
      for function in declaration.type.functions {
        for declared in project.functions[function.name] ?? []
        where declared.function === function {
          for binding in declared.scope.bindings[name] ?? [] {
            guard declared.scope.declared[name] == nil, declared.scope.parameter(name) == nil
            else { break }
            if case .whole = binding.part { writes.append((binding.value, declared.scope)) }
          }
        }
      }
    }
    return writes.count > 20 ? [] : writes
  }

  /// The scope in which the initial value of a property or global stands.
  func scope(of variable: Variable, in file: SourceFile, owner: String?) -> Scope {
    Scope(file: file, owner: owner, function: nil, parent: nil)
  }

  /// Functions of the project that a call may mean.
  func functions(called name: String, receiver: Expression?, in scope: Scope, arguments: Int)
    -> [ProjectFacts.DeclaredFunction]
  {
    guard let found = project.functions[name] else { return [] }
    var fitting = found.filter { $0.function.parameters.count >= arguments && $0.function.body != nil }
    if fitting.count > 1 {
      let owner = receiver == nil ? scope.owner : receiver.flatMap { type(of: $0, in: scope) }
      if let owner {
        let plain = TypeName.plain(owner)
        let own = fitting.filter { $0.owner == plain }
        if !own.isEmpty { fitting = own }
      }
    }
    return fitting.count <= 4 ? fitting : []
  }
}
