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
  // MARK: Entries

  /// A key under which code reads a preference, and the code that it belongs to.
  typealias Key = (expression: Expression, scope: Scope)

  /// Returns the keys of the preferences from which a value is read: directly, through variables, and
  /// through properties and functions of the project.
  func preferences(readBy value: Expression, in scope: Scope) -> Set<String> {
    Set(
      keys(readBy: value, in: scope, depth: 0).compactMap { entryName($0.expression, in: $0.scope) }
    )
  }

  private func keys(readBy value: Expression, in scope: Scope, depth: Int) -> [Key] {
    guard depth < 6 else { return [] }
    func all(_ parts: [Expression]) -> [Key] {
      parts.flatMap { keys(readBy: $0, in: scope, depth: depth + 1) }
    }
    switch value.bare.kind {
    case .name(let name):
      guard case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: value.bare)
      else { return keys(behind: value.bare, in: scope, depth: depth) }
      return bindings.prefix(4).flatMap { binding -> [Key] in
        switch binding.part {
        case .whole, .pieces:
          values(of: binding, in: home).flatMap {
            keys(readBy: $0.value, in: $0.scope, depth: depth + 1)
          }
        default: []
        }
      }
    case .member(let base?, let name):
      let found = keys(behind: value.bare, in: scope, depth: depth)
      return found.isEmpty && Self.views.contains(name) ? all([base]) : found
    case .index(let base, let arguments):
      guard let key = arguments.first?.value, isPreferences(base, in: scope) else { return [] }
      return [(key, scope)]
    case .call(let callee, let arguments):
      return keys(readBy: callee, arguments, value.bare, in: scope, depth: depth)
    case .string(let pieces):
      return all(
        pieces.compactMap { piece in
          if case .value(let arguments) = piece { arguments.first?.value } else { nil }
        })
    case .binary(let left, let sign, let right) where sign == "+" || sign == "??":
      return all([left, right])
    case .choice(_, let values): return all(values)
    case .prefix(_, let inner): return all([inner])
    default: return []
    }
  }

  private func keys(
    readBy callee: Expression, _ arguments: [Argument], _ whole: Expression, in scope: Scope,
    depth: Int
  ) -> [Key] {
    guard let name = callee.lastName else { return [] }
    let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
    if let first = arguments.first, first.label == "forKey" || Self.readers.contains(name),
      isPreferences(receiver, in: scope)
    {
      return [(first.value, scope)]
    }
    if let receiver, Self.views.contains(name) {
      return keys(readBy: receiver, in: scope, depth: depth + 1)
    }
    if Self.conversions.contains(name) || Self.factories.contains(name) {
      return arguments.flatMap { keys(readBy: $0.value, in: scope, depth: depth + 1) }
    }
    guard depth < 3 else { return [] }
    let call = Scope.Call(expression: whole, name: name, receiver: receiver, arguments: arguments)
    return functions(for: call, in: scope).flatMap { declared in
      declared.scope.returns.prefix(4).flatMap {
        keys(readBy: $0, in: declared.scope, depth: depth + 2)
      }.compactMap { key -> Key? in
        // `func read(_ key: String) -> String? { defaults.string(forKey: key) }`
        guard key.scope === declared.scope,
          case .parameter(let index)? = origins(of: key.expression, in: key.scope).first
        else { return key }
        return Self.argument(for: index, of: declared.function, in: call).map { ($0, scope) }
      }
    }
  }

  /// Returns the keys that the getter or the wrapper of a property reads.
  private func keys(behind property: Expression, in scope: Scope, depth: Int) -> [Key] {
    if case .property(let variable, let file, let owner) = declaration(of: property, in: scope),
      let wrapper = variable.attributes.first(where: { $0.name == "AppStorage" }),
      let key = wrapper.arguments.first?.value
    {
      return [(key, self.scope(of: variable, in: file, owner: owner))]
    }
    return results(of: property, in: scope).prefix(4).flatMap {
      keys(readBy: $0.value, in: $0.scope, depth: depth + 2)
    }
  }

  /// Returns the evidence that an entry of preferences is sensitive, from its key, its value, or the
  /// use of what is read from it, or nil.
  package func sensitivity(
    ofPreference key: Expression, _ value: Expression, in scope: Scope
  ) -> Evidence? {
    guard let step = entryName(key, in: scope).flatMap({ uses?.witness(ofPreference: $0) }) else {
      return sensitivity(ofEntry: key, value, in: scope)
    }
    // The use stands for the entry, so each name is taken at its word.
    var found = Inspector(project: project).sensitivity(ofEntry: key, value, in: scope)
    // What opens the data is a secret, whatever it is made from: `UUID().uuidString`.
    if found == nil, UseTable.isKey(step.message), let name = entryName(key, in: scope) {
      found = entry(name, .key, type: type(of: value, in: scope))
    }
    found?.witness = step
    return found
  }
}
