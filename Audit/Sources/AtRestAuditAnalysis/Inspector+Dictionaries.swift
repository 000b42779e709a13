import AtRestAuditModel

/// The known entries of a dictionary: a query of the keychain, options, parameters.
package struct DictionaryFacts {
  package struct Entry {
    package let value: Expression
    package let scope: Scope
  }

  /// The entries by key: the name of a constant such as `kSecAttrAccount`, or the key's text.
  private(set) var entries: [String: Entry] = [:]
  /// True if the dictionary has no other entries.
  package var isComplete = true
  /// The steps from the origin of the dictionary.
  package var trail: [Finding.Step] = []

  package subscript(key: String) -> Entry? { entries[key] }

  package var keys: Dictionary<String, Entry>.Keys { entries.keys }

  mutating func add(_ key: String, _ entry: Entry) { entries[key] = entry }

  mutating func merge(_ other: DictionaryFacts) {
    entries.merge(other.entries) { $1 }
    isComplete = isComplete && other.isComplete
    trail += other.trail
  }
}

extension Inspector {
  /// Returns the known entries of a dictionary that is built here, in a called function or by a
  /// caller, or nil if the dictionary cannot be determined.
  package func dictionary(
    _ expression: Expression, in scope: Scope, depth: Int = 0
  ) -> DictionaryFacts? {
    guard depth < Self.furthest else { return nil }
    return effort.ask { findDictionary(expression, in: scope, depth: depth) }
  }

  private func findDictionary(
    _ expression: Expression, in scope: Scope, depth: Int
  ) -> DictionaryFacts? {
    switch expression.kind {
    case .cast(let inner, _), .prefix("&", let inner):
      return dictionary(inner, in: scope, depth: depth + 1)
    case .dictionary(let pairs):
      var facts = DictionaryFacts()
      for pair in pairs {
        if let key = keyName(pair.key, in: scope) {
          facts.add(key, .init(value: pair.value, scope: scope))
        } else {
          facts.isComplete = false
        }
      }
      return facts
    case .name(let name):
      switch meaning(of: name, in: scope, at: expression) {
      case .local(let bindings, let variable, let home):
        return dictionary(bindings, declared: variable, in: home, depth: depth)
      case .parameter(let parameter, let home):
        return dictionary(parameter, name, in: home, depth: depth)
      case .property(let variable, let file, let owner):
        let home = self.scope(of: variable, in: file, owner: owner)
        var facts =
          variable.value.flatMap { dictionary($0, in: home, depth: depth + 1) }
          ?? getter(of: variable, owner: owner, depth: depth)
        if let written = scope.bindings[name] { add(written, in: scope, to: &facts) }
        return facts
      case .global(let variable, let file):
        let home = self.scope(of: variable, in: file, owner: nil)
        return variable.value.flatMap { dictionary($0, in: home, depth: depth + 1) }
      case .closure, .unknown: return nil
      }
    case .member(let base?, let name):
      if isSelf(base) {
        return dictionary(
          Expression(.name(name), expression.range), in: scope, depth: depth + 1)
      }
      if case .property(let variable, let file, let owner) = member(name, of: base, in: scope) {
        let home = self.scope(of: variable, in: file, owner: owner)
        return variable.value.flatMap { dictionary($0, in: home, depth: depth + 1) }
          ?? getter(of: variable, owner: owner, depth: depth)
      }
      return nil
    case .call(let callee, let arguments):
      return dictionary(callee, arguments, in: scope, depth: depth)
    case .binary(let left, "??", _): return dictionary(left, in: scope, depth: depth + 1)
    default: return nil
    }
  }

  private func dictionary(
    _ callee: Expression, _ arguments: [Argument], in scope: Scope, depth: Int
  ) -> DictionaryFacts? {
    guard let name = callee.lastName else {
      // `[String: Any]()`
      if case .dictionary(let pairs) = callee.kind, pairs.count == 1, arguments.isEmpty {
        return DictionaryFacts()
      }
      return nil
    }
    let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
    switch name {
    case "dictionaryWithObjectsAndKeys", "initWithObjectsAndKeys":
      var facts = DictionaryFacts()
      var index = 0
      while index + 1 < arguments.count {
        if let key = keyName(arguments[index + 1].value, in: scope) {
          facts.add(key, .init(value: arguments[index].value, scope: scope))
        } else {
          facts.isComplete = false
        }
        index += 2
      }
      return facts
    case "dictionary", "NSMutableDictionary", "NSDictionary", "dictionaryWithCapacity",
      "Dictionary",
      "CFDictionaryCreateMutable":
      guard let first = arguments.first, first.label != "capacity" else { return DictionaryFacts() }
      return dictionary(first.value, in: scope, depth: depth + 1) ?? DictionaryFacts()
    case "init", "new":
      return arguments.isEmpty ? DictionaryFacts() : nil
    case "initWithDictionary", "dictionaryWithDictionary", "merging":
      guard let first = arguments.first?.value else { return nil }
      let added = dictionary(first, in: scope, depth: depth + 1)
      if name == "merging", let receiver,
        var facts = dictionary(receiver, in: scope, depth: depth + 1)
      {
        if let added { facts.merge(added) } else { facts.isComplete = false }
        return facts
      }
      return added
    case "mutableCopy", "copy":
      return receiver.flatMap { dictionary($0, in: scope, depth: depth + 1) }
    default: break
    }
    let declared = functions(
      called: name, receiver: receiver, in: scope, arguments: arguments.count)
    for function in declared {
      for result in function.scope.returns {
        if var facts = dictionary(result, in: function.scope, depth: depth + 2) {
          facts.trail.append(
            Finding.Step(function.scope.location(of: result.range), "built by \(name)"))
          return facts
        }
      }
    }
    return nil
  }

  /// Returns the entries of the variable's first value and of later assignments, or nil if no
  /// dictionary is assigned.
  private func dictionary(
    _ bindings: [Scope.Binding], declared variable: Variable?, in scope: Scope, depth: Int
  ) -> DictionaryFacts? {
    var facts: DictionaryFacts?
    for binding in bindings {
      if case .whole = binding.part {
        let value = dictionary(binding.value, in: scope, depth: depth + 1)
        if var earlier = facts, let value {
          // The values belong to two branches, so the entries of both are included.
          earlier.merge(value)
          facts = earlier
        } else {
          facts = value ?? facts
        }
      }
    }
    if facts == nil,
      bindings.contains(where: { if case .element = $0.part { true } else { false } })
    {
      facts = DictionaryFacts()
      facts?.isComplete = !bindings.contains { if case .whole = $0.part { true } else { false } }
    }
    add(bindings, in: scope, to: &facts)
    return facts
  }

  private func add(
    _ bindings: [Scope.Binding], in scope: Scope, to facts: inout DictionaryFacts?
  ) {
    for binding in bindings {
      switch binding.part {
      case .element(let key):
        if let name = keyName(key, in: scope) {
          facts?.add(name, .init(value: binding.value, scope: scope))
        } else {
          facts?.isComplete = false
        }
      case .some:
        if let more = dictionary(binding.value, in: scope, depth: Self.furthest - 3) {
          facts?.merge(more)
        } else {
          facts?.isComplete = false
        }
      default: break
      }
    }
  }

  /// Returns the entries that callers pass for a parameter and the entries that the function adds,
  /// or nil if the callers do not determine them.
  private func dictionary(
    _ parameter: Parameter, _ name: String, in scope: Scope, depth: Int
  ) -> DictionaryFacts? {
    guard let function = scope.function, depth < 6,
      let index = function.parameters.firstIndex(where: { $0.name == name })
    else { return nil }
    let calls = project.calls[function.name] ?? []
    guard calls.count <= 4 else { return nil }
    var facts: DictionaryFacts?
    for (call, home) in calls {
      guard let value = Self.argument(for: index, of: function, in: call),
        let given = dictionary(value, in: home, depth: depth + 3)
      else { return nil }
      if facts == nil { facts = given } else { facts?.merge(given) }
    }
    if let bindings = scope.bindings[name] { add(bindings, in: scope, to: &facts) }
    return facts
  }

  private func getter(
    of variable: Variable, owner: String?, depth: Int
  ) -> DictionaryFacts? {
    for accessor in variable.accessors where accessor.name == "get" {
      guard let scope = project.scope(of: accessor) else { continue }
      for result in scope.returns {
        if let facts = dictionary(result, in: scope, depth: depth + 2) { return facts }
      }
    }
    return nil
  }

  /// Returns the name of a key, or nil if it is unknown. The name is that of a constant, such as
  /// `kSecAttrAccount`, or the key's text.
  /// text.
  func keyName(_ key: Expression, in scope: Scope) -> String? {
    let bare = key.bare
    switch bare.kind {
    case .name(let name) where name.hasPrefix("kSec") || name.hasPrefix("NS"): return name
    case .name(let name):
      // This is a constant of another framework.
      if name.first?.isUppercase == true, case .unknown = meaning(of: name, in: scope) {
        return name
      }
    case .call(let callee, let arguments):
      // `String(kSecClass)`
      if let inner = arguments.first?.value,
        callee.lastName == "String" || callee.lastName == "NSString"
      {
        return keyName(inner, in: scope)
      }
      return nil
    case .member(let base, let name):
      if let base, let constant = constant(bare, in: scope)?.text, !isSelf(base) { return constant }
      return constant(bare, in: scope)?.text ?? alias(bare, in: scope) ?? name
    default: break
    }
    if let constant = constant(bare, in: scope) {
      // `let accessible = kSecAttrAccessible as String` has no text, so its name is used.
      return constant.text
    }
    return alias(bare, in: scope)
  }

  /// Returns the framework constant that a name of the project stands for, or nil if it stands for
  /// none.
  private func alias(_ expression: Expression, in scope: Scope) -> String? {
    let meaning: Meaning =
      switch expression.kind {
      case .name(let name): self.meaning(of: name, in: scope)
      case .member(let base?, let name):
        isSelf(base) ? self.meaning(of: name, in: scope) : member(name, of: base, in: scope)
      default: .unknown
      }
    let value: Expression? =
      switch meaning {
      case .local(let bindings, _, _): bindings.first?.value
      case .property(let variable, _, _), .global(let variable, _): variable.value
      default: nil
      }
    guard let inner = value?.bare else { return nil }
    if case .call(let callee, let arguments) = inner.kind, callee.lastName == "String" {
      return arguments.first?.value.bare.lastName
    }
    return inner.lastName.flatMap { $0.hasPrefix("kSec") ? $0 : nil }
  }

  /// Returns the names of the constants that an expression may evaluate to, following variables and
  /// both branches of a choice.
  package func names(in expression: Expression, _ scope: Scope, depth: Int = 0) -> Set<String> {
    guard depth < 6 else { return [] }
    switch expression.bare.kind {
    case .name(let name):
      switch meaning(of: name, in: scope, at: expression.bare) {
      case .local(let bindings, _, let home):
        return bindings.reduce(into: [name]) {
          $0.formUnion(names(in: $1.value, home, depth: depth + 1))
        }
      case .property(let variable, let file, let owner):
        let home = self.scope(of: variable, in: file, owner: owner)
        return variable.value.map { names(in: $0, home, depth: depth + 1) }
          ?? names(inGetterOf: variable, depth: depth).union([name])
      case .global(let variable, let file):
        let home = self.scope(of: variable, in: file, owner: nil)
        return variable.value.map { names(in: $0, home, depth: depth + 1) } ?? [name]
      case .parameter(let parameter, let home):
        if let value = parameter.value { return names(in: value, home, depth: depth + 1) }
        return (given(for: parameter, in: home) ?? []).reduce(into: [name]) {
          $0.formUnion(names(in: $1.value, $1.scope, depth: depth + 3))
        }
      case .closure, .unknown: return [name]
      }
    case .member(let base?, let name):
      if case .property(let variable, let file, let owner) = isSelf(base)
        ? meaning(of: name, in: scope) : member(name, of: base, in: scope),
        let value = variable.value
      {
        let home = self.scope(of: variable, in: file, owner: owner)
        return names(in: value, home, depth: depth + 1).union([name])
      }
      return [name]
    case .member(nil, let name): return [name]
    case .choice(_, let values), .array(let values):
      return values.reduce(into: []) { $0.formUnion(names(in: $1, scope, depth: depth + 1)) }
    case .binary(let left, _, let right):
      return names(in: left, scope, depth: depth + 1).union(
        names(in: right, scope, depth: depth + 1))
    case .call(let callee, let arguments):
      return arguments.reduce(into: callee.lastName.map { [$0] } ?? []) {
        $0.formUnion(names(in: $1.value, scope, depth: depth + 1))
      }
    default: return []
    }
  }

  private func names(inGetterOf variable: Variable, depth: Int) -> Set<String> {
    guard let getter = variable.accessors.first(where: { $0.name == "get" }),
      let scope = project.scope(of: getter)
    else { return [] }
    return scope.returns.prefix(4).reduce(into: []) {
      $0.formUnion(names(in: $1, scope, depth: depth + 2))
    }
  }

  /// Returns the values that callers pass for a parameter, or nil if there are too many callers,
  /// there are none, or the function's name is not unique.
  func given(
    for parameter: Parameter, in scope: Scope
  ) -> [(value: Expression, scope: Scope)]? {
    guard let function = scope.function,
      let index = function.parameters.firstIndex(where: { $0.name == parameter.name })
    else { return nil }
    let calls = callers(of: function, in: scope, atMost: 4)
    guard !calls.isEmpty else { return nil }
    var values: [(value: Expression, scope: Scope)] = []
    for (call, home) in calls {
      guard let value = Self.argument(for: index, of: function, in: call) else { return nil }
      values.append((value, home))
    }
    return values
  }

  /// Returns all calls of a function whose name is unique in the project. The list is empty if the
  /// name is not unique or if there are more than `limit` calls.
  package func callers(
    of function: Function, in scope: Scope, atMost limit: Int
  ) -> [(call: Scope.Call, scope: Scope)] {
    var name = function.name
    var same = (project.functions[name] ?? []).filter { $0.function.body != nil }
    if name == "init", let owner = scope.owner {
      same = same.filter { $0.owner == owner }
      name = owner
    }
    guard same.count == 1 else { return [] }
    let calls = project.calls[name] ?? []
    return calls.count > limit ? [] : calls
  }
}
