import AtRestAuditModel

extension Inspector {
  /// Returns true if a value was already encrypted, hashed or masked, according to the call that
  /// made it or to its name.
  package func isProtected(_ value: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    guard depth < 6 else { return false }
    switch value.bare.kind {
    case .call(let callee, let arguments):
      if let name = callee.lastName, Self.makesSafe(name) { return true }
      if case .member(let base?, _) = callee.kind, isProtected(base, in: scope, depth: depth + 1) {
        return true
      }
      guard let name = callee.lastName,
        Self.containers.contains(name) || Self.conversions.contains(name)
      else { return false }
      return arguments.first.map { isProtected($0.value, in: scope, depth: depth + 1) } ?? false
    case .name(let name):
      if Self.makesSafe(name) { return true }
      if case .local(let bindings, _, let home) = meaning(
        of: name, in: scope, at: value.bare), bindings.count == 1
      {
        let values = values(of: bindings[0], in: home)
        return !values.isEmpty
          && values.allSatisfy { isProtected($0.value, in: $0.scope, depth: depth + 1) }
      }
      return isProtectedByCallers(name, in: scope, depth: depth + 2)
    case .member(let base?, let name):
      return Self.makesSafe(name) || name == "combined"
        || Self.views.contains(name) && isProtected(base, in: scope, depth: depth + 1)
    default: return false
    }
  }

  /// Returns true if a name is a parameter, and each caller passes a value that is protected.
  private func isProtectedByCallers(_ name: String, in scope: Scope, depth: Int) -> Bool {
    guard depth < 6, let function = scope.function,
      let index = function.parameters.firstIndex(where: { $0.name == name }),
      let calls = project.calls[function.name], calls.count <= 300
    else { return false }
    let own = calls.filter { means($0.call, function, in: $0.scope) }
    return !own.isEmpty
      && own.allSatisfy { call, home in
        Self.argument(for: index, of: function, in: call).map {
          isProtected($0, in: home, depth: depth)
        } ?? false
      }
  }
}
