import AtRestAuditModel

/// A sensitive value that a caller passes to a function of the project, or stores in a property,
/// and that the project's code passes on.
package struct Given {
  let evidence: Evidence
  package var sensitivity: SensitiveKind { evidence.sensitivity }
  /// The call or the assignment.
  package let place: Expression
  package let name: String
  package let scope: Scope

  /// Returns the evidence with a last step, which shows the place that the value reaches.
  package func through(_ end: Scope, _ place: Expression) -> Evidence {
    evidence.through(end.location(of: place.range), "is passed on by \(name)")
  }
}

extension Inspector {
  /// Returns the calls and assignments that bring a sensitive value to a place.
  ///
  /// - Parameters:
  ///   - value: The value at the place: a parameter, `self`, a property, or an expression made from
  ///     one.
  ///   - key: The key of the value, if it has one.
  ///   - isPreference: True if the value becomes a preference.
  ///   - other: Returns other evidence that a value is sensitive.
  package func callers(
    giving value: Expression, under key: Expression? = nil, in scope: Scope,
    isPreference: Bool = false, or other: (Expression, Scope) -> Evidence? = { _, _ in nil }
  ) -> [Given] {
    var found = keyed(value, under: key, in: scope, isPreference) + entered(in: value, in: scope)
    eachValue(arrivingIn: value, in: scope) { arrival in
      let value = arrival.value
      if isEmpty(value) || isFlag(value, in: arrival.scope)
        || isProtected(value, in: arrival.scope)
      {
        return true
      }
      guard
        let evidence = sensitivity(of: value, in: arrival.scope) ?? other(value, arrival.scope)
      else {
        let entered = entered(in: value, in: arrival.scope)
        found += entered
        return !entered.isEmpty
      }
      found.append(
        Given(
          evidence: evidence, place: arrival.place, name: arrival.name, scope: arrival.scope))
      return true
    }
    return found
  }

  /// Returns the calls that give a sensitive key to a function which enters it into a dictionary, with
  /// any value: `update(field: "password", value: text)`.
  private func entered(in value: Expression, in scope: Scope, depth: Int = 0) -> [Given] {
    guard depth < 6 else { return [] }
    func inner(_ value: Expression?) -> [Given] {
      value.map { entered(in: $0, in: scope, depth: depth + 1) } ?? []
    }
    switch value.bare.kind {
    case .name(let name):
      guard
        case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: value.bare),
        home === scope
      else { return [] }
      return bindings.flatMap { binding -> [Given] in
        switch binding.part {
        case .element(let key): keyed(binding.value, under: key, in: scope, false, depth: 1)
        case .whole: inner(binding.value)
        default: []
        }
      }
    case .dictionary(let pairs):
      return pairs.flatMap { keyed($0.value, under: $0.key, in: scope, false, depth: 1) }
    case .member(let base?, let name): return Self.views.contains(name) ? inner(base) : []
    case .binary(let left, "??", _): return inner(left)
    case .call(let callee, let arguments):
      if let name = callee.lastName,
        Self.packs(arguments) || Self.conversions.contains(name) || Self.factories.contains(name)
          || Self.containers.contains(name)
      {
        return inner(arguments.first?.value)
      }
      guard case .member(let base?, let name) = callee.kind, Self.views.contains(name) else {
        return []
      }
      return inner(base)
    default: return []
    }
  }

  /// Returns the calls that pass a sensitive key, with any value.
  private func keyed(
    _ value: Expression, under key: Expression?, in scope: Scope, _ isPreference: Bool,
    depth: Int = 0
  ) -> [Given] {
    if depth == 0, let key, origins(of: key, in: scope).contains(where: \.isProperty) {
      return keptUnder(key, value, in: scope)
    }
    guard let key, depth < 3, let function = scope.function,
      case .parameter(let place)? = origins(of: key, in: scope).first
    else { return [] }
    let values = origins(of: value, in: scope)
    return calls(of: function, in: scope, atMost: 200).flatMap { call, home -> [Given] in
      guard let under = Self.argument(for: place, of: function, in: call) else { return [] }
      var given: Expression = under
      for case .parameter(let index) in values {
        guard let value = Self.argument(for: index, of: function, in: call) else { return [] }
        given = value
      }
      if isEmpty(given) || isFlag(given, in: home) || isProtected(given, in: home) { return [] }
      if let evidence = isPreference
        ? sensitivity(ofPreference: under, given, in: home)
        : sensitivity(ofEntry: under, given, in: home)
      {
        return [Given(evidence: evidence, place: call.expression, name: call.name, scope: home)]
      }
      return keyed(given, under: under, in: home, isPreference, depth: depth + 1)
    }
  }

  /// Returns the places that give a sensitive key to an object that stores values under it:
  /// `Preference(key: "accessToken")`.
  private func keptUnder(_ key: Expression, _ value: Expression, in scope: Scope) -> [Given] {
    if isEmpty(value) || isFlag(value, in: scope) { return [] }
    var found: [Given] = []
    eachValue(arrivingIn: key, in: scope) { arrival in
      guard let text = constant(arrival.value, in: arrival.scope)?.text else { return false }
      if let kind = SensitiveKind.ofKey(text), kind.isSecret, !WeakNames.contains(text) {
        found.append(
          Given(
            evidence: entry(text, kind), place: arrival.place, name: arrival.name,
            scope: arrival.scope))
      }
      return true
    }
    return found
  }
}

extension Origin {
  fileprivate var isProperty: Bool { if case .property = self { true } else { false } }
}
