import AtRestAuditModel

/// Preferences of the system, such as `UserDefaults`.
extension Inspector {
  private static let preferences: Set<String> = [
    "UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore", "CFPreferences",
  ]

  /// Returns true for an object that keeps preferences, according to its type, or to its name if the
  /// type is unknown.
  ///
  /// - Parameter receiver: The object, or nil for the one that the code belongs to.
  package func isPreferences(_ receiver: Expression?, in scope: Scope) -> Bool {
    guard let receiver else {
      return scope.owner.map { project.type($0, is: Self.preferences) } ?? false
    }
    if let type = type(of: receiver, in: scope) { return project.type(type, is: Self.preferences) }
    let name = (receiver.lastName ?? "").lowercased()
    return name.hasSuffix("defaults") || name == "prefs" || name == "preferences"
  }
  /// Returns the places of the values that a scope keeps in preferences or in an object of a database,
  /// directly or in a dictionary.
  func placesOfKeptValues(in scope: Scope) -> [Range<Int32>] {
    let calls = scope.calls.filter {
      Self.keeping.contains($0.name) && !$0.arguments.isEmpty && keeps($0.receiver, in: scope)
    }
    let values = calls.flatMap { call -> [Expression] in
      let value = call.arguments[0].value
      return [value] + (value.bare.path.flatMap { scope.bindings[$0] } ?? []).map(\.value)
    }
    let entries = scope.bindings.flatMap { name, bindings -> [Expression] in
      let entries = bindings.compactMap { binding -> Expression? in
        if case .element = binding.part { binding.value } else { nil }
      }
      guard let first = entries.first,
        keeps(Expression(.name(name), first.range), in: scope)
      else { return [] }
      return entries
    }
    return (values + entries).map(\.range)
  }

  /// Returns true for an object that stores what is set under a key.
  private func keeps(_ receiver: Expression?, in scope: Scope) -> Bool {
    if isPreferences(receiver, in: scope) { return true }
    let type = receiver.map { self.type(of: $0, in: scope) } ?? scope.owner
    return type.map { project.type($0, is: ["NSManagedObject", "CKRecord"]) } ?? false
  }

  private static let keeping: Set<String> = [
    "set", "setObject", "setValue", "register", "registerDefaults", "setPersistentDomain",
    "setValuesForKeys", "setValuesForKeysWithDictionary",
  ]
}
