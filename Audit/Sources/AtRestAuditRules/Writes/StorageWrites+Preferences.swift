import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// `UserDefaults.standard.set(…, forKey:)`, `defaults["key"] = …`, `@AppStorage("key")`,
  /// `CFPreferencesSetAppValue`.
  static func addPreferences(to set: inout CheckSet) {
    set.onCall([
      "set", "setObject", "setValue", "setURL", "setString", "setData", "setInteger", "setDouble",
      "setFloat", "setBool",
    ]) { call, scope, pass in
      guard let key = call["forKey"], let value = call[0], !pass.inspector.isEmpty(value),
        pass.inspector.isPreferences(call.receiver, in: scope),
        let suite = suite(of: call.receiver, in: scope, pass)
      else { return }
      forEachText(key, at: call.expression, in: scope, pass) { key, place, scope in
        pass.record(.preference(suite: suite.name, key: key), at: place, in: scope)
      }
    }
    set.onCall(["CFPreferencesSetAppValue", "CFPreferencesSetValue"]) { call, scope, pass in
      guard let key = call[0], let application = call[2],
        application.lastName == "kCFPreferencesCurrentApplication"
      else { return }
      forEachText(key, at: call.expression, in: scope, pass) { key, place, scope in
        pass.record(.preference(suite: nil, key: key), at: place, in: scope)
      }
    }
    set.onScope { scope, pass in
      for (name, bindings) in scope.bindings {
        for binding in bindings {
          guard case .element(let key) = binding.part else { continue }
          let receiver = Expression(.name(name), key.range)
          guard pass.inspector.isPreferences(receiver, in: scope) else { break }
          guard !pass.inspector.isEmpty(binding.value),
            let suite = suite(of: receiver, in: scope, pass)
          else { continue }
          forEachText(key, at: binding.value, in: scope, pass) { key, place, scope in
            pass.record(.preference(suite: suite.name, key: key), at: place, in: scope)
          }
        }
      }
    }
    set.onType { type, file, pass in
      for variable in type.variables {
        guard let attribute = variable.attributes.first(where: { $0.name == "AppStorage" }),
          let key = attribute.arguments.first?.value.literal,
          !attribute.arguments.contains(where: { $0.label == "store" })
        else { continue }
        pass.record(
          StorageWrite(
            .preference(suite: nil, key: key), at: file.location(of: variable.range)))
      }
    }
  }

  /// The suite of preferences. The name is nil for the standard preferences.
  private struct Suite {
    let name: String?
  }

  /// Returns the suite that an expression is, or nil if it has a name that is not constant.
  private static func suite(
    of receiver: Expression?, in scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Suite? {
    // Within an extension of UserDefaults, the receiver is nearly always the standard one.
    guard let receiver, depth < 5 else { return Suite(name: nil) }
    if let type = pass.inspector.type(of: receiver, in: scope),
      pass.project.type(type, is: ["NSUbiquitousKeyValueStore"])
    {
      return nil
    }
    func suite(of variable: Variable, in file: SourceFile, owner: String?) -> Suite? {
      guard let value = variable.value else { return Suite(name: nil) }
      let home = pass.inspector.scope(of: variable, in: file, owner: owner)
      return self.suite(of: value, in: home, pass, depth: depth + 1)
    }
    switch receiver.bare.kind {
    case .call(let callee, let arguments):
      guard
        let name = arguments.first(where: { $0.label == "suiteName" })?.value
          ?? (callee.lastName == "initWithSuiteName" ? arguments.first?.value : nil)
      else { return Suite(name: nil) }
      return text(name, in: scope, pass).map { Suite(name: $0) }
    case .name(let name):
      switch pass.inspector.meaning(of: name, in: scope) {
      case .local(let bindings, _, let home):
        return bindings.first.map {
          self.suite(of: $0.value, in: home, pass, depth: depth + 1)
        } ?? Suite(name: nil)
      case .property(let variable, let file, let owner):
        return suite(of: variable, in: file, owner: owner)
      case .global(let variable, let file): return suite(of: variable, in: file, owner: nil)
      case .parameter, .closure, .unknown: return Suite(name: nil)
      }
    case .member(let base?, let name):
      if pass.inspector.isSelf(base) {
        return self.suite(
          of: Expression(.name(name), receiver.range), in: scope, pass, depth: depth + 1)
      }
      // `UserDefaults.group` can be a suite that an extension declares.
      guard let type = base.lastName, let found = pass.project.types[type]?.variables[name] else {
        return Suite(name: nil)
      }
      return suite(of: found.variable, in: found.file, owner: type)
    default: return Suite(name: nil)
    }
  }
}
