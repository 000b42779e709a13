import AtRestAuditModel

extension Inspector {
  /// Returns true if a value is always true, in any form: `true`, `kCFBooleanTrue`, `@YES`, a
  /// constant.
  package func isTrue(_ value: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    guard depth < 6 else { return false }
    switch value.bare.kind {
    case .boolean(let isTrue): return isTrue
    case .name("kCFBooleanTrue"): return true
    case .name(let name):
      switch meaning(of: name, in: scope, at: value.bare) {
      case .local(let bindings, _, let home):
        return bindings.count == 1 && isTrue(bindings[0].value, in: home, depth: depth + 1)
      case .property(let variable, let file, let owner):
        return isTrue(variable, in: file, owner: owner, depth: depth)
      case .global(let variable, let file):
        return isTrue(variable, in: file, owner: nil, depth: depth)
      case .parameter(let parameter, let home):
        // The default holds if no caller gives another value.
        guard let standard = parameter.value, let label = parameter.label,
          let function = home.function
        else { return false }
        let calls = project.calls[function.name] ?? []
        return !calls.contains { $0.call[label] != nil }
          && isTrue(standard, in: home, depth: depth + 1)
      default: return false
      }
    case .member(let base?, let name):
      guard case .property(let variable, let file, let owner) = member(name, of: base, in: scope)
      else { return false }
      return isTrue(variable, in: file, owner: owner, depth: depth)
    case .choice(let condition, let values):
      return values.count == 2 && isTrue(condition, in: scope, depth: depth + 1)
        && isTrue(values[0], in: scope, depth: depth + 1)
    case .call(let callee, let arguments):
      guard callee.lastName == "NSNumber" || callee.lastName == "numberWithBool",
        let inner = arguments.first?.value
      else { return false }
      return isTrue(inner, in: scope, depth: depth + 1)
    default: return false
    }
  }

  private func isTrue(
    _ variable: Variable, in file: SourceFile, owner: String?, depth: Int
  ) -> Bool {
    guard variable.isConstant, let value = variable.value else { return false }
    return isTrue(value, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
  }
}
