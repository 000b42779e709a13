import AtRestAuditModel

/// A sensitive value that a caller passes to a function of the project, and that the function
/// passes on.
package struct Given {
  let evidence: Evidence
  package let call: Scope.Call
  package let scope: Scope

  /// Returns the evidence with a last step, which shows the place that the value reaches.
  package func through(_ end: Scope, _ place: Expression) -> Evidence {
    evidence.through(end.location(of: place.range), "is passed on by \(call.name)")
  }
}

extension Inspector {
  /// The maximum number of levels of callers that are examined.
  private static let furthestCaller = 3
  /// The maximum number of calls that are examined on all levels.
  private static let mostCallers = 200

  /// Returns the calls to the enclosing function that bring a sensitive value to a place in the
  /// function.
  ///
  /// - Parameters:
  ///   - value: The value at the place: a parameter, or an expression made from one.
  ///   - key: The key of the value, if it has one.
  package func callers(
    giving value: Expression, under key: Expression? = nil, in scope: Scope
  ) -> [Given] {
    var left = Self.mostCallers
    return callers(giving: value, under: key, in: scope, depth: 0, left: &left)
  }

  private func callers(
    giving value: Expression, under key: Expression?, in scope: Scope, depth: Int,
    left: inout Int
  ) -> [Given] {
    guard depth < Self.furthestCaller, let function = scope.function else { return [] }
    let place = parameter(in: value, of: scope)
    let placeOfKey = key.flatMap { parameter(in: $0, of: scope) }
    guard place != nil || placeOfKey != nil else { return [] }
    let calls = project.calls[function.name] ?? []
    guard calls.count <= left else { return [] }
    left -= calls.count
    return calls.flatMap { call, home -> [Given] in
      guard home !== scope, means(call, function, in: home) else { return [] }
      let given = place.map { Self.argument(for: $0, of: function, in: call) } ?? nil
      let under = placeOfKey.map { Self.argument(for: $0, of: function, in: call) } ?? nil
      guard let value = given ?? under, place == nil || given != nil else { return [] }
      if isEmpty(value) || isFlag(value, in: home) || isProtected(value, in: home) { return [] }
      let found =
        if let under { sensitivity(ofEntry: under, value, in: home) } else {
          sensitivity(of: value, in: home)
        }
      if let found { return [Given(evidence: found, call: call, scope: home)] }
      return callers(giving: value, under: under, in: home, depth: depth + 1, left: &left)
    }
  }

  /// Returns true if a call refers to this function and to no other.
  func means(_ call: Scope.Call, _ function: Function, in scope: Scope) -> Bool {
    // `.copy(key)` is a case of an enum, or a static function.
    if case .member(nil, _)? = call.callee?.kind, !function.isStatic { return false }
    let declared = functions(
      called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count)
    return declared.count == 1 && declared[0].function === function
  }

  /// Returns the index of the enclosing function's parameter from which an expression is made, or
  /// nil if there is none.
  private func parameter(in expression: Expression, of scope: Scope, depth: Int = 0) -> Int? {
    guard depth < 6 else { return nil }
    switch expression.bare.kind {
    case .name(let name):
      if case .local(let bindings, _, _) = meaning(of: name, in: scope) {
        return bindings.count == 1
          ? parameter(in: bindings[0].value, of: scope, depth: depth + 1) : nil
      }
      return scope.function?.parameters.firstIndex { $0.name == name }
    case .member(let base?, let name):
      return Self.views.contains(name) ? parameter(in: base, of: scope, depth: depth + 1) : nil
    case .call(let callee, let arguments):
      guard let name = callee.lastName, !Self.makesSafe(name) else { return nil }
      if case .member(let base?, _) = callee.kind, Self.views.contains(name) || name == "data" {
        return parameter(in: base, of: scope, depth: depth + 1)
      }
      guard
        Self.conversions.contains(name) || Self.factories.contains(name)
          || Self.containers.contains(name)
      else { return nil }
      return arguments.first.flatMap { parameter(in: $0.value, of: scope, depth: depth + 1) }
    default: return nil
    }
  }
}
