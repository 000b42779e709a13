import AtRestAuditModel

extension Inspector {
  /// Follows values from callers into a function of the project that passes them on, as in
  /// `log("pin: \(pin)")` where `log` prints its message.
  ///
  /// - Parameter look: Called with each value that may reach the expression, and with the call that
  ///   passes the value. If `look` returns true, the value is not followed further.
  package func eachValue(
    arrivingIn expression: Expression, in scope: Scope, depth: Int = 0,
    _ look: (Expression, Scope.Call, Scope) -> Bool
  ) {
    guard depth < 3, let function = scope.function, function.name != "init" else { return }
    let parameters = passed(in: expression, scope, depth: 0)
    guard !parameters.isEmpty else { return }
    let calls = project.calls[function.name] ?? []
    guard calls.count <= 2_000 else { return }
    for (call, home) in calls where home !== scope && means(call, function, in: home) {
      for (index, parameter) in function.parameters.enumerated()
      where parameters.contains(parameter.name) {
        guard let value = Self.argument(for: index, of: function, in: call) else { continue }
        if look(value, call, home) { continue }
        eachValue(arrivingIn: value, in: home, depth: depth + 1, look)
      }
    }
  }

  /// Returns the names of parameters whose values enter an expression unchanged.
  private func passed(in expression: Expression, _ scope: Scope, depth: Int) -> Set<String> {
    guard depth < 8 else { return [] }
    func all(_ parts: [Expression]) -> Set<String> {
      parts.reduce(into: []) { $0.formUnion(passed(in: $1, scope, depth: depth + 1)) }
    }
    switch expression.bare.kind {
    case .name(let name):
      if scope.declared[name] == nil, scope.parameter(name) != nil { return [name] }
      return all((scope.bindings[name] ?? []).prefix(8).map(\.value))
    case .string(let pieces):
      return all(
        pieces.compactMap {
          guard case .value(let arguments) = $0,
            !Self.hides(arguments), !arguments.contains(where: { $0.label == "privacy" })
          else { return nil }
          return arguments.first?.value
        })
    case .binary(let left, let sign, let right):
      return sign == "+" || sign == "??" ? all([left, right]) : []
    case .choice(_, let values), .array(let values): return all(values)
    case .dictionary(let pairs): return all(pairs.map(\.value))
    case .call(let callee, let arguments):
      guard let name = callee.lastName, !Self.makesSafe(name), !Self.projections.contains(name)
      else { return [] }
      guard
        Self.conversions.contains(name) || Self.factories.contains(name)
          || Self.containers.contains(name) || Self.views.contains(name)
      else { return [] }
      let base: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
      return all(arguments.map(\.value) + (base.map { [$0] } ?? []))
    case .member(let base?, let name):
      return Self.views.contains(name) ? all([base]) : []
    default: return []
    }
  }
}
