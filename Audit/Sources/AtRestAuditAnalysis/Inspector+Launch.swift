import AtRestAuditModel

/// Code that runs only if the app was started with an argument, or in an environment, as tests do. Nobody
/// who has the app from the store starts it so.
extension Inspector {
  /// Returns true if code runs only with an argument or an environment of the program.
  package func needsLaunchArgument(_ place: Range<Int32>, in scope: Scope, depth: Int = 0) -> Bool {
    let start = place.lowerBound
    let conditions =
      scope.branches.filter { $0.range.contains(start) }.flatMap(\.conditions)
      + scope.guards.filter { $0.end <= start }.flatMap(\.conditions)
    if conditions.contains(where: { isLaunchArgument($0, in: scope) }) { return true }
    guard depth < 2, let function = scope.function, function.name != "init",
      project.functions[function.name]?.count == 1,
      let calls = project.calls[function.name]?.filter({ $0.scope !== scope }),
      (1...8).contains(calls.count)
    else { return false }
    return calls.allSatisfy {
      needsLaunchArgument($0.call.expression.range, in: $0.scope, depth: depth + 1)
    }
  }

  /// Returns true if a condition asks how the program was started, itself or through a constant.
  private func isLaunchArgument(_ condition: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    guard depth < Self.furthest else { return false }
    func inner(_ condition: Expression) -> Bool {
      isLaunchArgument(condition, in: scope, depth: depth + 1)
    }
    switch condition.bare.kind {
    case .binary(let left, "&&", let right): return inner(left) || inner(right)
    case .binary(let left, "||", let right): return inner(left) && inner(right)
    case .binary(let left, "==", let right):
      // `environment["NAME"] == nil` and `arguments.contains("--test") == false` hold in the app from the store.
      return !left.isUnset && !right.isUnset && (inner(left) || inner(right))
    case .binary(let left, "!=", let right): return right.isNull && inner(left)
    case .tuple(let arguments): return arguments.count == 1 && inner(arguments[0].value)
    case .call(let callee, _): return inner(callee)
    case .index(let base, _): return inner(base)
    case .name("CommandLine"): return true
    case .name(let name):
      switch meaning(of: name, in: scope, at: condition.bare) {
      case .local(let bindings, _, let home):
        return bindings.count == 1
          && isLaunchArgument(bindings[0].value, in: home, depth: depth + 1)
      case .property(let variable, let file, let owner):
        return isLaunchArgument(variable, file, owner, depth: depth)
      case .global(let variable, let file):
        return isLaunchArgument(variable, file, nil, depth: depth)
      default: return false
      }
    case .member(let base?, let name):
      if ["arguments", "environment"].contains(name) {
        return ["processInfo", "ProcessInfo", "NSProcessInfo"].contains(base.lastName)
          || inner(base)
      }
      if case .property(let variable, let file, let owner) = member(name, of: base, in: scope) {
        return isLaunchArgument(variable, file, owner, depth: depth)
      }
      // The app from the store has arguments too: its path.
      return !["count", "isEmpty", "first"].contains(name) && inner(base)
    default: return false
    }
  }

  private func isLaunchArgument(
    _ variable: Variable, _ file: SourceFile, _ owner: String?, depth: Int
  ) -> Bool {
    if let value = variable.value {
      return isLaunchArgument(
        value, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
    }
    guard let getter = variable.accessors.first(where: { $0.name == "get" }),
      let home = project.scope(of: getter), home.returns.count == 1
    else { return false }
    return isLaunchArgument(home.returns[0], in: home, depth: depth + 1)
  }
}

extension Expression {
  /// True for `nil` and `false`.
  fileprivate var isUnset: Bool {
    if case .boolean(false) = bare.kind { true } else { isNull }
  }
}
