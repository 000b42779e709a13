import AtRestAuditModel

extension Expression {
  /// Returns true if another expression is this one, or an operand or a base within it.
  package func contains(_ other: Expression) -> Bool {
    if self === other { return true }
    switch kind {
    case .binary(let left, _, let right): return left.contains(other) || right.contains(other)
    case .cast(let inner, _), .prefix(_, let inner): return inner.contains(other)
    case .member(let base?, _): return base.contains(other)
    default: return false
    }
  }
}

extension Block {
  /// Returns true if two places are in different branches, of which only one is taken.
  package func parts(_ first: Int32, _ second: Int32) -> Bool {
    for (index, statement) in statements.enumerated() {
      // A branch that returns excludes the statements after it.
      guard case .branch(_, let body, let otherwise) = statement else { continue }
      let rest = Block(Array(statements[(index + 1)...]))
      for branch in [body, otherwise ?? Block()] where branch.returns {
        if branch.contains(first) && rest.contains(second)
          || branch.contains(second) && rest.contains(first)
        {
          return true
        }
      }
    }
    return statements.contains { statement in
      switch statement {
      case .branch(_, let body, let otherwise?):
        body.contains(first) && otherwise.contains(second)
          || body.contains(second) && otherwise.contains(first)
          || body.parts(first, second) || otherwise.parts(first, second)
      case .branch(_, let body, nil), .loop(_, _, let body), .block(let body),
        .conditional(_, let body):
        body.parts(first, second)
      case .selection(_, let cases):
        cases.contains { $0.body.parts(first, second) }
          || cases.contains { $0.body.contains(first) != $0.body.contains(second) }
      default: false
      }
    }
  }

  private var returns: Bool {
    if case .returns? = statements.last { true } else { false }
  }

  /// Returns true if a place is in one of the statements.
  private func contains(_ offset: Int32) -> Bool {
    statements.contains { statement in
      switch statement {
      case .expression(let value), .returns(let value?): value.range.contains(offset)
      case .variable(let variable): variable.range.contains(offset)
      case .branch(_, let body, let otherwise):
        body.contains(offset) || otherwise?.contains(offset) == true
      case .loop(_, _, let body), .block(let body), .conditional(_, let body):
        body.contains(offset)
      case .selection(_, let cases): cases.contains { $0.body.contains(offset) }
      default: false
      }
    }
  }
}

extension Scope {
  /// Returns true if any name that is bound in this scope meets a condition.
  package func mentionsName(_ isOfKind: (String?) -> Bool) -> Bool {
    bindings.keys.contains { isOfKind($0) }
  }
}
