import AtRestAuditModel

extension Inspector {
  /// Returns the values that a property of the project may have: its initial value, or what its
  /// getter returns. The list is empty for any other expression.
  package func results(of property: Expression, in scope: Scope) -> [(
    value: Expression, scope: Scope
  )] {
    guard case .property(let variable, let file, let owner) = declaration(of: property, in: scope)
    else { return [] }
    if let value = variable.value {
      let home = self.scope(of: variable, in: file, owner: owner)
      return parts(variable.pieces[...], of: value, in: home)
    }
    return variable.accessors.filter { $0.name == "get" }.flatMap { getter in
      project.scope(of: getter).map { home in home.returns.map { ($0, home) } } ?? []
    }
  }
  /// Returns the declaration of a name or of a member.
  func declaration(of value: Expression, in scope: Scope) -> Meaning {
    switch value.bare.kind {
    case .name(let name): meaning(of: name, in: scope, at: value.bare)
    case .member(let base?, let name):
      isSelf(base) ? meaning(of: name, in: scope) : member(name, of: base, in: scope)
    default: .unknown
    }
  }
}
