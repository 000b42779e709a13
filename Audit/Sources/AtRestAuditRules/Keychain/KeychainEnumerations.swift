import AtRestAuditAnalysis
import AtRestAuditModel

/// Follows an accessibility through an enumeration of the project: `access.attribute`, where
/// `access` is a parameter with a default.
enum KeychainEnumerations {
  /// Returns the constants that an enumeration has for the case that is used, or none.
  static func constants(
    of expression: Expression, in scope: Scope, _ pass: Pass
  ) -> [(value: Expression, scope: Scope)] {
    guard case .member(let base?, let name) = expression.bare.kind,
      let type = pass.inspector.type(of: base, in: scope).map(TypeName.plain),
      let getter = pass.project.types[type]?.variables[name]?.variable.accessors.first,
      let home = pass.project.scope(of: getter), let chosen = choice(base, scope, pass)
    else { return [] }
    for case .selection(let subject, let cases) in getter.body?.statements ?? [] {
      guard case .name("self") = subject.kind else { continue }
      for branch in cases where branch.patterns.contains(where: { $0.bare.lastName == chosen }) {
        return home.returns.filter { branch.body.holds($0) }.map { ($0, home) }
      }
    }
    return []
  }

  /// Returns the case that a value has by default.
  private static func choice(_ value: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    guard let name = value.path else {
      if case .member(_, let name) = value.kind { return name }
      return nil
    }
    switch pass.inspector.meaning(of: name, in: scope) {
    case .parameter(let parameter, _): return parameter.value?.bare.lastName
    case .property(let variable, _, _): return variable.value?.bare.lastName
    default: return nil
    }
  }
}

extension Block {
  /// Returns true if one of the statements is, or returns, an expression.
  fileprivate func holds(_ value: Expression) -> Bool {
    statements.contains { statement in
      switch statement {
      case .expression(let own), .returns(let own?): own === value
      default: false
      }
    }
  }
}
