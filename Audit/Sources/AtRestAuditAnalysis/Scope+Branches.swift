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
      guards.append(Guard(conditions: values, end: otherwise.end ?? last))
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
  /// The code from the first statement to the last. nil for an empty block.
  fileprivate var range: Range<Int32>? {
    guard let start, let end else { return nil }
    return start..<max(start, end)
  }

  // Each asks a statement once, because a chain of `else if` is as deep as it is long.
  fileprivate var start: Int32? { Statement.start(of: statements) }

  fileprivate var end: Int32? {
    for statement in statements.reversed() { if let end = statement.end { return end } }
    return nil
  }
}

extension Statement {
  fileprivate static func start(of statements: [Statement]) -> Int32? {
    for statement in statements { if let start = statement.start { return start } }
    return nil
  }

  fileprivate var start: Int32? {
    switch self {
    case .expression(let value), .loop(_, let value, _), .selection(let value, _):
      value.range.lowerBound
    case .variable(let variable): variable.range.lowerBound
    case .returns(let value): value?.range.lowerBound
    case .branch(let conditions, let body, _):
      Self.start(of: conditions) ?? body.start
    case .block(let body), .conditional(_, let body): body.start
    case .function(let function): function.range.lowerBound
    case .type(let type): type.range.lowerBound
    }
  }

  fileprivate var end: Int32? {
    switch self {
    case .expression(let value): value.range.upperBound
    case .variable(let variable): variable.range.upperBound
    case .returns(let value): value?.range.upperBound
    case .branch(let conditions, let body, let otherwise):
      otherwise?.end ?? body.end ?? conditions.last?.end
    case .loop(_, let sequence, let body): body.end ?? sequence.range.upperBound
    case .selection(let subject, let cases): cases.last?.body.end ?? subject.range.upperBound
    case .block(let body), .conditional(_, let body): body.end
    case .function(let function): function.range.upperBound
    case .type(let type): type.range.upperBound
    }
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
