import AtRestAuditModel

extension Inspector {
  /// Returns the values that a property of the project may have: its initial value, or what its
  /// getter returns. The list is empty for any other expression.
  package func results(of property: Expression, in scope: Scope) -> [(
    value: Expression, scope: Scope
  )] {
    let meaning: Meaning =
      switch property.bare.kind {
      case .name(let name): self.meaning(of: name, in: scope, at: property.bare)
      case .member(let base?, let name):
        isSelf(base) ? self.meaning(of: name, in: scope) : member(name, of: base, in: scope)
      default: .unknown
      }
    guard case .property(let variable, let file, let owner) = meaning else { return [] }
    if let value = variable.value {
      return [(value, self.scope(of: variable, in: file, owner: owner))]
    }
    return variable.accessors.filter { $0.name == "get" }.flatMap { getter in
      project.scope(of: getter).map { home in home.returns.map { ($0, home) } } ?? []
    }
  }
}
