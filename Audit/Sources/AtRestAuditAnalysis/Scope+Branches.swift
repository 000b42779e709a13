import AtRestAuditModel

extension Scope {
  /// Calls that run only if conditions hold.
  struct Branch {
    let conditions: [Expression]
    /// The indices of the calls.
    let calls: Range<Int>
  }

  /// Records the calls that run only if all conditions hold.
  func note(_ conditions: [Statement], of calls: Range<Int>) {
    guard !calls.isEmpty else { return }
    let values = conditions.compactMap { condition -> Expression? in
      if case .expression(let value) = condition { value } else { nil }
    }
    if !values.isEmpty { branches.append(Branch(conditions: values, calls: calls)) }
  }
}

extension Inspector {
  /// The indices of the calls of a scope that never run, because a constant switches them off:
  /// `if (TRACE) NSLog(…)` after `#define TRACE NO`.
  package func idleCalls(of scope: Scope) -> Set<Int> {
    scope.branches.reduce(into: []) { idle, branch in
      if branch.conditions.contains(where: { isNeverTrue($0, in: scope) }) {
        idle.formUnion(branch.calls)
      }
    }
  }

  /// Returns true if a condition is a constant that is false in the app that ships.
  private func isNeverTrue(_ condition: Expression, in scope: Scope, depth: Int = 0) -> Bool {
    guard depth < 4 else { return false }
    switch condition.bare.kind {
    case .boolean(let isTrue): return !isTrue
    case .number(let text): return text == "0"
    case .binary(let left, "&&", let right):
      return isNeverTrue(left, in: scope, depth: depth + 1)
        || isNeverTrue(right, in: scope, depth: depth + 1)
    case .binary(let left, "||", let right):
      return isNeverTrue(left, in: scope, depth: depth + 1)
        && isNeverTrue(right, in: scope, depth: depth + 1)
    case .tuple(let arguments):
      return arguments.count == 1 && isNeverTrue(arguments[0].value, in: scope, depth: depth + 1)
    case .name(let name):
      guard scope.declared[name] == nil, scope.parameter(name) == nil else { return false }
      if case .property(let variable, let file, let owner) = meaning(of: name, in: scope) {
        return isNever(variable, file, owner: owner, depth: depth)
      }
      // `#ifdef DEBUG` may define the constant otherwise.
      let shipped = (project.globals[name] ?? []).filter {
        !ScopeBuilder.isDebug($0.variable.condition)
      }
      return !shipped.isEmpty
        && shipped.allSatisfy { isNever($0.variable, $0.file, owner: nil, depth: depth) }
    case .member(let base?, let name):
      guard case .property(let variable, let file, let owner) = member(name, of: base, in: scope)
      else { return false }
      return isNever(variable, file, owner: owner, depth: depth)
    default: return false
    }
  }

  private func isNever(
    _ variable: Variable, _ file: SourceFile, owner: String?, depth: Int
  ) -> Bool {
    guard variable.isConstant, let value = variable.value else { return false }
    return isNeverTrue(
      value, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
  }
}
