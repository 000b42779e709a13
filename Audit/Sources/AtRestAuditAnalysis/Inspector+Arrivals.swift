import AtRestAuditModel

/// A value from elsewhere that arrives in an expression: an argument of a caller, or what other
/// code stores in a property.
package struct Arrival {
  package let value: Expression
  /// The call or the assignment that brings the value.
  package let place: Expression
  /// The name of the function or property that takes the value.
  package let name: String
  package let scope: Scope
  /// The call, if the value is an argument or the receiver of one.
  let call: Scope.Call?
}

/// A way into a function or a type.
enum Origin: Hashable {
  /// The parameter of the function at this index.
  case parameter(Int)
  /// The object on which the function is called.
  case receiver
  /// A stored property of the type.
  case property(String)
  /// The text that a label or a text view of the type shows.
  case shown(String)
}

extension Inspector {
  /// Follows values from callers and from other code into a place of the project that passes them
  /// on, as in `log("pin: \(pin)")` where `log` prints its message.
  ///
  /// - Parameter look: Called with each value that may reach the expression. If `look` returns true,
  ///   the value is not followed further.
  package func eachValue(
    arrivingIn expression: Expression, in scope: Scope, _ look: (Arrival) -> Bool
  ) {
    var left = 4_000
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(expression)]
    eachValue(arrivingIn: expression, in: scope, depth: 0, &left, &seen, look)
  }

  private func eachValue(
    arrivingIn expression: Expression, in scope: Scope, depth: Int, _ left: inout Int,
    _ seen: inout Set<ObjectIdentifier>, _ look: (Arrival) -> Bool
  ) {
    guard depth < 4 else { return }
    for origin in origins(of: expression, in: scope) {
      let arrivals = arrivals(at: origin, in: scope, atMost: depth == 0 ? 2_000 : 400)
      left -= arrivals.count
      guard left > 0 else { return }
      for arrival in arrivals where seen.insert(ObjectIdentifier(arrival.value)).inserted {
        if look(arrival) { continue }
        eachValue(
          arrivingIn: arrival.value, in: arrival.scope, depth: depth + 1, &left, &seen, look)
      }
    }
  }

  // MARK: Origins

  /// Returns the ways by which a value enters an expression unchanged.
  func origins(of expression: Expression, in scope: Scope, depth: Int = 0) -> Set<Origin> {
    guard depth < 8 else { return [] }
    func all(_ parts: [Expression]) -> Set<Origin> {
      parts.reduce(into: []) { $0.formUnion(origins(of: $1, in: scope, depth: depth + 1)) }
    }
    switch expression.bare.kind {
    case .name("self"): return [.receiver]
    case .name(let name): return origins(ofName: name, expression.bare, in: scope, depth: depth)
    case .string(let pieces):
      return all(
        pieces.compactMap {
          guard case .value(let arguments) = $0,
            !Self.hides(arguments), !arguments.contains(where: { $0.label == "privacy" })
          else { return nil }
          return arguments.first?.value
        })
    case .binary(let left, let sign, let right):
      return sign == "+" || sign == "??" ? all([left, right]) : []
    case .choice(_, let values), .array(let values): return all(values)
    case .dictionary(let pairs): return all(pairs.map(\.value))
    case .tuple(let arguments): return all(arguments.map(\.value))
    case .call(let callee, let arguments):
      return origins(ofCall: callee, arguments, in: scope, depth: depth)
    case .member(let base?, let name):
      if isSelf(base) { return origins(ofName: name, expression.bare, in: scope, depth: depth) }
      if let index = Int(name) {
        return parts([.element(index)], of: base, in: scope).reduce(into: []) {
          if $1.scope === scope {
            $0.formUnion(origins(of: $1.value, in: scope, depth: depth + 1))
          }
        }
      }
      if Self.fieldTexts.contains(name), let shown = shownName(of: base, in: scope) {
        return [.shown(shown)]
      }
      return Self.views.contains(name) || Self.viewsOfURL.contains(name) ? all([base]) : []
    default: return []
    }
  }

  private func origins(
    ofCall callee: Expression, _ arguments: [Argument], in scope: Scope, depth: Int
  ) -> Set<Origin> {
    guard let name = callee.lastName, !Self.makesSafe(name), !Self.projections.contains(name)
    else { return [] }
    // `line()` is the value of a parameter that is evaluated late.
    if case .name = callee.kind, arguments.isEmpty,
      case .parameter(let parameter, let home) = meaning(of: name, in: scope), home === scope,
      let index = scope.function?.parameters.firstIndex(where: { $0.name == parameter.name })
    {
      return [.parameter(index)]
    }
    if Self.giveResult.contains(name), case .closure(let closure)? = arguments.last?.value.kind {
      return closure.body.results.reduce(into: []) {
        $0.formUnion(origins(of: $1, in: scope, depth: depth + 1))
      }
    }
    var parts: [Expression] = []
    if case .member(let base?, _) = callee.kind,
      Self.views.contains(name) || Self.conversions.contains(name) || Self.streams.contains(name)
        || Self.containers.contains(name) || arguments.isEmpty && Self.converts(name)
        || name == "data"
    {
      parts.append(base)
    }
    if Self.packs(arguments) || Self.conversions.contains(name) || Self.factories.contains(name)
      || Self.containers.contains(name) || Self.makersOfURL.contains(name)
      || name == "HTTPCookie" || name.hasPrefix("appending") || name.hasPrefix("stringByAppending")
    {
      // What encrypts the value does not become a part of it.
      parts += arguments.filter {
        $0.label.map { $0 != "encoding" && SensitiveKind.ofName($0)?.isSecret != true } ?? true
      }.map(\.value)
    }
    return parts.reduce(into: []) {
      $0.formUnion(origins(of: $1, in: scope, depth: depth + 1))
    }
  }

  private func origins(
    ofName name: String, _ expression: Expression, in scope: Scope, depth: Int
  ) -> Set<Origin> {
    if name == "newValue", let property = property(setIn: scope) {
      return [.property(property.name)]
    }
    switch meaning(of: name, in: scope, at: expression) {
    case .local(let bindings, _, let home):
      guard home === scope else { return [] }
      return bindings.prefix(8).reduce(into: []) {
        switch $1.part {
        case .header: return
        case .property(let name) where !Self.partsOfURL.contains(name): return
        default: break
        }
        for (value, home) in values(of: $1, in: scope) where home === scope {
          $0.formUnion(origins(of: value, in: scope, depth: depth + 1))
        }
      }
    case .parameter(let parameter, let home):
      guard home === scope, let function = scope.function,
        let index = function.parameters.firstIndex(where: { $0.name == parameter.name })
      else { return [] }
      // `set(value)` and `didSet(old)` have the name of the new value as their parameter.
      if function.name == "set", let property = property(setIn: scope) {
        return [.property(property.name)]
      }
      return [.parameter(index)]
    case .property(let variable, _, _):
      let isStored = !variable.accessors.contains { $0.name == "get" }
      return isStored && !variable.isStatic && variable.value?.literal == nil
        ? [.property(variable.name)] : []
    case .closure(let handler, let index, let home):
      return values(of: handler, index, in: home).prefix(4).reduce(into: []) {
        if $1.scope === scope {
          $0.formUnion(origins(of: $1.value, in: scope, depth: depth + 1))
        }
      }
    default: return []
    }
  }

  /// Returns true for the name of a function that gives its receiver another form: `toAny`,
  /// `asString`.
  static func converts(_ name: String) -> Bool {
    let words = Words.split(name)
    return words.count > 1 && (words[0] == "to" || words[0] == "as")
  }

  // MARK: Arrivals

  /// Returns the values that come in by one of the ways, or none if there are too many.
  private func arrivals(at origin: Origin, in scope: Scope, atMost limit: Int) -> [Arrival] {
    switch origin {
    case .parameter(let index):
      guard let function = scope.function else { return [] }
      return calls(of: function, in: scope, atMost: limit).flatMap { call, home in
        Self.arguments(for: index, of: function, in: call).map {
          Arrival(value: $0, place: call.expression, name: call.name, scope: home, call: call)
        }
      }
    case .receiver:
      guard let function = scope.function, !function.isStatic else { return [] }
      return calls(of: function, in: scope, atMost: limit).compactMap { call, home in
        call.receiver.map {
          Arrival(value: $0, place: call.expression, name: call.name, scope: home, call: call)
        }
      }
    case .property(let name):
      guard let owner = scope.owner else { return [] }
      return arrivals(in: name, of: owner, atMost: limit)
    case .shown(let name):
      return values(shownIn: name, of: scope.owner).map {
        Arrival(value: $0.value, place: $0.value, name: name, scope: $0.scope, call: nil)
      }
    }
  }

  /// Returns the calls that refer to a function.
  func calls(
    of function: Function, in scope: Scope, atMost limit: Int
  ) -> [(call: Scope.Call, scope: Scope)] {
    let name = function.name == "init" ? scope.owner ?? "" : function.name
    let calls = project.calls[name] ?? []
    guard calls.count <= limit else { return [] }
    return calls.filter { call, home in
      home !== scope && means(call, function, in: home)
    }
  }

  /// Returns the values that code stores in a property of a type, or under its name with
  /// `setValue(_:forKey:)`.
  package func values(
    storedIn name: String, of type: String
  ) -> [(value: Expression, scope: Scope)] {
    let keyed = ["setValue", "setPrimitiveValue"].flatMap { project.calls[$0] ?? [] }
      .compactMap { call, home -> (value: Expression, scope: Scope)? in
        guard let value = call[0], call["forKey"]?.literal == name,
          let receiver = call.receiver.map({ self.type(of: $0, in: home) }) ?? home.owner,
          TypeName.plain(receiver) == type || receiver == "NSManagedObject"
        else { return nil }
        return (value, home)
      }
    return arrivals(in: name, of: type, atMost: 400).map { ($0.value, $0.scope) } + keyed
  }

  /// Returns the values that are stored in a property.
  private func arrivals(in name: String, of owner: String, atMost limit: Int) -> [Arrival] {
    var found = writes(to: name, of: owner).map {
      Arrival(value: $0.value, place: $0.value, name: name, scope: $0.scope, call: nil)
    }
    let declarations = project.types[owner]?.declarations ?? []
    if !declarations.contains(where: { $0.type.functions.contains { $0.name == "init" } }) {
      // `Owner(name: value)`, with the initialiser that every struct has.
      for (call, home) in (project.calls[owner] ?? []).prefix(limit) {
        guard let value = call[name] else { continue }
        found.append(
          Arrival(value: value, place: call.expression, name: owner, scope: home, call: call))
      }
    }
    let assignments = project.assignments[name] ?? []
    if assignments.count <= limit {
      for (assignment, home) in assignments {
        guard let target = assignment.target,
          let type = type(of: target, in: home), project.type(type, is: [owner])
        else { continue }
        found.append(
          Arrival(
            value: assignment.value, place: assignment.expression, name: name, scope: home,
            call: nil))
      }
    }
    if name == "wrappedValue" {
      for (variable, file, holder) in project.wrapped[owner] ?? [] {
        let home = self.scope(of: variable, in: file, owner: holder)
        let value = Expression(.name(variable.name), variable.range)
        found.append(Arrival(value: value, place: value, name: owner, scope: home, call: nil))
      }
    }
    return found
  }
}
