import AtRestAuditModel

extension Inspector {
  /// Returns true if a value is a text of the app's own, such as the number of a hotline, in each
  /// language.
  package func isFixed(_ value: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    guard depth < 6 else { return false }
    if constant(value, in: scope) != nil { return true }
    switch value.bare.kind {
    case .choice(_, let values):
      return values.allSatisfy { isFixed($0, in: scope, depth: depth + 1) }
    case .string(let pieces):
      return pieces.allSatisfy { piece in
        guard case .value(let arguments) = piece else { return true }
        return arguments.first.map { isFixed($0.value, in: scope, depth: depth + 1) } ?? true
      }
    case .name(let name):
      guard case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: value.bare),
        !bindings.isEmpty
      else { return false }
      return bindings.allSatisfy { isFixed($0.value, in: home, depth: depth + 1) }
    default: return false
    }
  }
}
