import AtRestAuditAnalysis
import AtRestAuditModel

/// Records of the project with sensitive properties, and what is made from them.
enum StorageChecks {
  /// Returns the evidence that a value is, or is made from, a sensitive record of the project, or
  /// nil.
  ///
  /// - Parameter persons: True if a record that describes a person counts too.
  static func record(
    of value: Expression, _ scope: Scope, _ pass: Pass, persons: Bool = true, depth: Int = 0
  ) -> Evidence? {
    guard depth < 6 else { return nil }
    if let type = pass.inspector.type(of: value, in: scope),
      let found = record(type, pass)
        ?? (persons
          ? PersonRecords.person(type, pass) ?? ContentRecords.content(type, pass) : nil)
    {
      return found
    }
    func inner(_ value: Expression, _ scope: Scope) -> Evidence? {
      record(of: value, scope, pass, persons: persons, depth: depth + 1)
    }
    // `var data: Data { try! JSONEncoder().encode(self) }`
    func computed() -> Evidence? {
      depth > 2
        ? nil
        : pass.inspector.results(of: value, in: scope).prefix(4).lazy.compactMap {
          inner($0.value, $0.scope)
        }.first
    }
    switch value.bare.kind {
    case .name(let name):
      switch pass.inspector.meaning(of: name, in: scope, at: value.bare) {
      case .local(let bindings, _, let home) where bindings.count == 1:
        return pass.inspector.values(of: bindings[0], in: home).lazy.compactMap {
          inner($0.value, $0.scope)
        }.first
      case .closure(let handler, let index, let home):
        return pass.inspector.values(of: handler, index, in: home).lazy.compactMap {
          inner($0.value, $0.scope)
        }.first
      default:
        guard name.hasPrefix("$") else { return computed() }
        return inner(Expression(.name(String(name.dropFirst())), value.range), scope)
      }
    case .call(let callee, let arguments):
      let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
      guard let name = callee.lastName, !Inspector.makesSafe(name) else { return nil }
      // `publisher.encode(encoder: JSONEncoder())`, `entries.debounce(…)`
      if let receiver, Inspector.streams.contains(name) || arguments.first?.label == "encoder" {
        return inner(receiver, scope)
      }
      // `sessions.map { try? encoder.encode($0) }`
      if Inspector.giveResult.contains(name) {
        guard case .closure(let closure)? = arguments.last?.value.kind else { return nil }
        return closure.body.results.lazy.compactMap { inner($0, scope) }.first
      }
      // `data.base64EncodedString()`
      if let receiver, Inspector.views.contains(name), let found = inner(receiver, scope) {
        return found
      }
      if Inspector.containers.contains(name) || Inspector.conversions.contains(name)
        || Inspector.factories.contains(name)
      {
        return arguments.first.flatMap { inner($0.value, scope) }
      }
      guard depth < 3 else { return nil }
      return returned(
        by: Scope.Call(
          expression: value.bare, name: name, receiver: receiver, arguments: arguments),
        scope, pass, inner)
    case .member(let base?, let name)
    where ["value", "wrappedValue", "first", "last", "rawValue", "utf8"].contains(name):
      return inner(base, scope)
    case .member: return computed()
    // `(try? encoder.encode(session)) ?? Data()`
    case .binary(let left, "??", let right): return inner(left, scope) ?? inner(right, scope)
    case .choice(_, let values): return values.lazy.compactMap { inner($0, scope) }.first
    case .array(let elements): return elements.first.flatMap { inner($0, scope) }
    default: return nil
    }
  }

  /// Returns the evidence of what a function of the project makes from a record: of a record that it
  /// names itself, or of what it is given.
  private static func returned(
    by call: Scope.Call, _ scope: Scope, _ pass: Pass,
    _ inner: (Expression, Scope) -> Evidence?
  ) -> Evidence? {
    for declared in pass.inspector.functions(for: call, in: scope) {
      for result in declared.scope.returns.prefix(4) {
        let given = pass.inspector.values(of: call, entering: result, of: declared)
        // What is given has a type of its own, and the parameter may be generic.
        for (value, home) in given.map({ ($0, scope) }) + [(result, declared.scope)] {
          guard let found = inner(value, home) else { continue }
          return found.through(
            declared.scope.location(of: result.range), "is returned by \(call.name)")
        }
      }
    }
    return nil
  }

  /// Returns the evidence that a type of the project is sensitive, from its first sensitive
  /// property or that of a type within it, or nil if it has none.
  ///
  /// - Parameter isEncoded: True if only the properties count that the type encodes.
  static func record(
    _ type: String, _ pass: Pass, isEncoded: Bool = true, depth: Int = 0
  ) -> Evidence? {
    guard depth < 3,
      let facts = pass.project.types[TypeName.element(type) ?? TypeName.plain(type)]
    else { return nil }
    let encoded = isEncoded ? pass.inspector.encodedProperties(of: facts.name) : nil
    for (name, (variable, _)) in facts.variables.sorted(by: { $0.key < $1.key })
    where !variable.isStatic && !variable.accessors.contains(where: { $0.name == "get" }) {
      if let encoded, !encoded.contains(name) { continue }
      // A namesake of another module may lack the property.
      guard isInAll(name, facts), !namesRelation(name) else { continue }
      if let declared = variable.type, !pass.inspector.couldHold(declared, named: name) {
        continue
      }
      if let found = SensitiveKind.ofName(name), found.isSecret || found == .payment,
        pass.isCredible(name, of: facts.name),
        // A struct for a card may have only its brand and its last digits.
        found != .payment || variable.type.map({ isValue($0, pass) }) != true
      {
        return Evidence(
          sensitivity: found, name: "\(facts.name).\(name)", subject: name, owner: facts.name,
          type: variable.type)
      }
      if let declared = variable.type, TypeName.plain(declared) != facts.name,
        isValue(declared, pass),
        let found = record(declared, pass, isEncoded: isEncoded, depth: depth + 1)
      {
        return found
      }
    }
    return nil
  }

  /// Returns the properties of a type that are stored with it, in the order of their names.
  static func properties(of facts: TypeFacts, _ pass: Pass) -> [Variable] {
    let encoded = pass.inspector.encodedProperties(of: facts.name)
    return facts.variables.filter { name, declared in
      !declared.variable.isStatic && encoded?.contains(name) != false
        && !declared.variable.accessors.contains { $0.name == "get" } && isInAll(name, facts)
    }.sorted { $0.key < $1.key }.map(\.value.variable)
  }

  /// Returns true if each type with this name has a property.
  static func isInAll(_ property: String, _ facts: TypeFacts) -> Bool {
    let own = facts.declarations.filter { $0.type.form != .extension }
    return own.count < 2
      || own.allSatisfy { declaration in
        declaration.type.variables.contains { $0.name == property }
      }
  }

  /// Returns true for the name of something other than its last word says: `addressesWithKeys`.
  private static func namesRelation(_ name: String) -> Bool {
    Words.split(name).contains { ["with", "without", "for", "of", "from"].contains($0) }
  }

  /// Returns true if a type is a struct of the project, or a collection of one.
  static func isValue(_ type: String, _ pass: Pass) -> Bool {
    pass.project.types[TypeName.element(type) ?? TypeName.plain(type)]?.declarations.contains {
      $0.type.form == .struct
    } == true
  }
}
