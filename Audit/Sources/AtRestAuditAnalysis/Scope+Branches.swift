import AtRestAuditModel

extension Scope {
  /// Calls that run only if conditions hold.
  struct Branch {
    let conditions: [Expression]
    /// The indices of the calls.
    let calls: Range<Int>
    /// The code that runs.
    let range: Range<Int32>
  }

  /// Conditions without which the code after them does not run.
  struct Guard {
    let conditions: [Expression]
    let end: Int32
  }

  /// Returns the names in the conditions under which code runs.
  package func namesOfConditions(around place: Expression) -> Set<String> {
    let conditions =
      branches.filter { $0.range.contains(place.range.lowerBound) }.flatMap(\.conditions)
      + guards.filter { $0.end <= place.range.lowerBound }.flatMap(\.conditions)
    return conditions.reduce(into: []) { names, condition in
      names.formUnion(condition.bare.namesInChain)
    }
  }

  /// Records the calls that run only if all conditions hold.
  func note(_ conditions: [Statement], of calls: Range<Int>, _ body: Block, otherwise: Block?) {
    let values = conditions.compactMap { condition -> Expression? in
      switch condition {
      case .expression(let value): value
      // `if let name = ProcessInfo.processInfo.environment["NAME"]`
      case .variable(let variable): variable.value
      default: nil
      }
    }
    guard !values.isEmpty else { return }
    if let range = body.range {
      branches.append(Branch(conditions: values, calls: calls, range: range))
    } else if let otherwise, let last = values.map(\.range.upperBound).max() {
      guards.append(Guard(conditions: values, end: otherwise.range?.upperBound ?? last))
    }
  }
}

extension Expression {
  /// The names of a chain of members and calls.
  fileprivate var namesInChain: Set<String> {
    switch kind {
    case .name(let name): [name]
    case .member(let base, let name): (base?.namesInChain ?? []).union([name])
    case .call(let callee, _): callee.namesInChain
    case .binary(let left, _, let right): left.namesInChain.union(right.namesInChain)
    case .prefix(_, let inner), .cast(let inner, _): inner.namesInChain
    default: []
    }
  }
}

extension Block {
  /// The code from the first statement to the last, or nil if there is none.
  fileprivate var range: Range<Int32>? {
    guard let first = statements.lazy.compactMap(\.range).first,
      let last = statements.reversed().lazy.compactMap(\.range).first
    else { return nil }
    return first.lowerBound..<max(first.upperBound, last.upperBound)
  }
}

extension Statement {
  fileprivate var range: Range<Int32>? {
    switch self {
    case .expression(let value): value.range
    case .variable(let variable): variable.range
    case .returns(let value): value?.range
    case .branch(let conditions, let body, let otherwise):
      Self.around(
        conditions.compactMap(\.range) + [body.range, otherwise?.range].compactMap(\.self))
    case .loop(_, let sequence, let body):
      Self.around([sequence.range] + [body.range].compactMap(\.self))
    case .selection(let subject, let cases):
      Self.around([subject.range] + cases.compactMap(\.body.range))
    case .block(let body), .conditional(_, let body): body.range
    case .function(let function): function.range
    case .type(let type): type.range
    }
  }

  private static func around(_ ranges: [Range<Int32>]) -> Range<Int32>? {
    guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max()
    else {
      return nil
    }
    return first..<last
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
