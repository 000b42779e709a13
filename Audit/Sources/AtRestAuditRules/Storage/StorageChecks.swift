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
      guard case .local(let bindings, _, let home) = pass.inspector.meaning(of: name, in: scope),
        bindings.count == 1
      else { return nil }
      return record(of: bindings[0].value, home, pass, depth: depth + 1)
    case .call(let callee, let arguments):
      guard let name = callee.lastName,
        Inspector.containers.contains(name) || Inspector.conversions.contains(name)
          || Inspector.factories.contains(name), let inner = arguments.first?.value
      else { return nil }
      return record(of: inner, scope, pass, depth: depth + 1)
    case .array(let elements):
      return elements.first.flatMap { record(of: $0, scope, pass, depth: depth + 1) }
    default: return nil
    }
  }

  /// Returns the evidence that a type of the project is sensitive, from its first sensitive
  /// property, or nil if it has none.
  /// property.
  static func record(_ type: String, _ pass: Pass) -> Evidence? {
    guard let facts = pass.project.types[TypeName.element(type) ?? TypeName.plain(type)] else {
      return nil
    }
    for (name, (variable, _)) in facts.variables.sorted(by: { $0.key < $1.key })
    where !variable.isStatic && variable.accessors.isEmpty {
      if let declared = variable.type, pass.inspector.isSilent(declared) { continue }
      if let found = Sensitivity.ofName(name), found.isSecret || found == .payment {
        return Evidence(sensitivity: found, name: "\(facts.name).\(name)", trail: [])
      }
    }
    return nil
  }
}
