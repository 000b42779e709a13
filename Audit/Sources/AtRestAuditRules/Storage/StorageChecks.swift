import AtRestAuditAnalysis
import AtRestAuditModel

/// Recognises stores of preferences, and records with sensitive properties.
enum StorageChecks {
  private static let defaultsTypes: Set<String> = [
    "UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore", "CFPreferences",
  ]

  static func isDefaults(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard let receiver else {
      return scope.owner.map { pass.project.type($0, is: defaultsTypes) } ?? false
    }
    if let type = pass.inspector.type(of: receiver, in: scope) {
      return pass.project.type(type, is: defaultsTypes)
    }
    let name = (receiver.lastName ?? "").lowercased()
    return name.hasSuffix("defaults") || name == "prefs" || name == "preferences"
  }

  /// Returns the evidence that a value is, or is made from, a sensitive record of the project, or
  /// nil.
  static func record(
    of value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Evidence? {
    guard depth < 5 else { return nil }
    if let type = pass.inspector.type(of: value, in: scope), let found = record(type, pass) {
      return found
    }
    switch value.bare.kind {
    case .name(let name):
      switch pass.inspector.meaning(of: name, in: scope, at: value.bare) {
      case .local(let bindings, _, let home) where bindings.count == 1:
        return record(of: bindings[0].value, home, pass, depth: depth + 1)
      case .closure(let handler, let index, let home):
        return pass.inspector.values(of: handler, index, in: home).lazy.compactMap {
          record(of: $0.value, $0.scope, pass, depth: depth + 1)
        }.first
      default:
        guard name.hasPrefix("$") else { return nil }
        let inner = Expression(.name(String(name.dropFirst())), value.range)
        return record(of: inner, scope, pass, depth: depth + 1)
      }
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return nil }
      // `publisher.encode(encoder: JSONEncoder())`, `entries.debounce(…)`
      if case .member(let base?, _) = callee.kind,
        Inspector.streams.contains(name) || arguments.first?.label == "encoder"
      {
        return record(of: base, scope, pass, depth: depth + 1)
      }
      guard
        Inspector.containers.contains(name) || Inspector.conversions.contains(name)
          || Inspector.factories.contains(name), let inner = arguments.first?.value
      else { return nil }
      return record(of: inner, scope, pass, depth: depth + 1)
    case .member(let base?, let name)
    where ["value", "wrappedValue", "first", "last", "rawValue"].contains(name):
      return record(of: base, scope, pass, depth: depth + 1)
    case .array(let elements):
      return elements.first.flatMap { record(of: $0, scope, pass, depth: depth + 1) }
    default: return nil
    }
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

  /// Returns true if each type with this name has a property.
  private static func isInAll(_ property: String, _ facts: TypeFacts) -> Bool {
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
  private static func isValue(_ type: String, _ pass: Pass) -> Bool {
    pass.project.types[TypeName.element(type) ?? TypeName.plain(type)]?.declarations.contains {
      $0.type.form == .struct
    } == true
  }
}
