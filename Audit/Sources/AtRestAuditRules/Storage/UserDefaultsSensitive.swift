import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let userDefaultsSensitive = RuleID("userdefaults-sensitive")
}

/// Secret or personal data in UserDefaults.
enum UserDefaultsSensitive: CodeRule {
  static let rule = Rule(
    .userDefaultsSensitive, "Secret or personal data in UserDefaults",
    severity: .high, level: .required,
    consequence:
      "UserDefaults is a plaintext property list, which is in every backup. Anyone who has a backup "
      + "or the device's files can read the value.",
    remedy:
      "Store the value in the keychain with SecItemAdd. If it is too large, encrypt it with a key "
      + "that is in the keychain.",
    references: .init(
      masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
      masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"],
      mastg: ["MASTG-TEST-0300", "MASTG-TEST-0301", "MASTG-TEST-0302"], cwe: [312, 922]),
    bad: .init(
      "Login.swift",
      """
      func remember(password: String) {
        UserDefaults.standard.set(password, forKey: "loginPassword")
      }
      """),
    good: .init(
      "Login.swift",
      """
      func remember(user: String, rememberPassword: Bool) {
        UserDefaults.standard.set(user, forKey: "lastUser")
        UserDefaults.standard.set(rememberPassword, forKey: "rememberPassword")
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["set", "setObject", "setValue", "setURL", "setString", "setData"]) {
      call, scope, pass in
      guard let key = call["forKey"] ?? call["forKeyPath"], let value = call[0],
        pass.inspector.isPreferences(call.receiver, in: scope)
      else { return }
      preference(value, key, at: call.expression, scope, pass)
    }
    set.onCall(["CFPreferencesSetAppValue", "CFPreferencesSetValue"]) { call, scope, pass in
      guard let key = call[0], let value = call[1] else { return }
      preference(value, key, at: call.expression, scope, pass)
    }
    set.onCall([
      "register", "registerDefaults", "setPersistentDomain", "setValuesForKeys",
      "setValuesForKeysWithDictionary",
    ]) { call, scope, pass in
      guard let value = call[0], pass.inspector.isPreferences(call.receiver, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .userDefaultsSensitive, found, at: call.expression, in: scope,
        "# is stored in UserDefaults, in the clear")
    }
    set.onScope { scope, pass in
      // `defaults["token"] = value`, `Defaults[.token] = value`
      for (name, bindings) in scope.bindings {
        for binding in bindings {
          guard case .element(let key) = binding.part else { continue }
          let receiver = Expression(.name(name), key.range)
          guard name == "Defaults" || pass.inspector.isPreferences(receiver, in: scope) else {
            break
          }
          preference(binding.value, key, at: binding.value, scope, pass)
        }
      }
    }
    // `UserDefaults.standard[.token] = value`
    set.onScope { scope, pass in
      for assignment in scope.assignments {
        guard case .assignment(let target, _, let value) = assignment.expression.kind,
          case .index(let base, let keys) = target.kind, let key = keys.first?.value,
          case .member = base.kind, pass.inspector.isPreferences(base, in: scope)
        else { continue }
        preference(value, key, at: assignment.expression, scope, pass)
      }
    }
    set.onType { type, file, pass in
      for variable in type.variables { wrapped(variable, file, owner: type.name, pass) }
    }
  }

  private static func preference(
    _ value: Expression, _ key: Expression, at place: Expression, _ scope: Scope, _ pass: Pass
  ) {
    let inspector = pass.inspector
    if isOnlyCleared(value, scope, pass) { return }
    if inspector.isEmpty(value) || inspector.isFlag(value, in: scope)
      || inspector.isProtected(value, in: scope)
    {
      return
    }
    let record = StorageChecks.record(of: value, scope, pass)
    if let found = inspector.sensitivity(ofPreference: key, value, in: scope)?.supported(by: record)
      ?? record
    {
      pass.report(
        .userDefaultsSensitive, found, at: place, in: scope,
        "# is stored in UserDefaults, in the clear")
      return
    }
    for given in inspector.callers(
      giving: value, under: key, in: scope, isPreference: true,
      or: { StorageChecks.record(of: $0, $1, pass) })
    {
      pass.report(
        .userDefaultsSensitive, given.through(scope, place), at: given.place,
        in: given.scope, "# is stored in UserDefaults, in the clear")
    }
  }

  /// Returns true if a value is the new value of a property to which the project only assigns nil.
  private static func isOnlyCleared(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    guard case .name("newValue") = value.bare.kind,
      let property = pass.inspector.property(readIn: scope), let owner = scope.owner
    else { return false }
    let values = pass.inspector.values(storedIn: property.name, of: owner)
    return !values.isEmpty && values.allSatisfy { pass.inspector.isEmpty($0.value) }
  }

  /// Reports a property that a wrapper stores in UserDefaults, such as
  /// `@AppStorage("token") var token` or a wrapper of the project's own.
  private static func wrapped(
    _ variable: Variable, _ file: SourceFile, owner: String, _ pass: Pass
  ) {
    for attribute in variable.attributes {
      let name = attribute.name
      guard
        name == "AppStorage" || name == "SceneStorage" || name.contains("UserDefault")
          || name == "Default" || wrapsDefaults(name, pass) || sharedKey(attribute) != nil
      else { continue }
      let home = pass.inspector.scope(of: variable, in: file, owner: nil)
      let type = variable.type ?? variable.value.flatMap { pass.inspector.type(of: $0, in: home) }
      if let found = type.flatMap({
        StorageChecks.record($0, pass) ?? PersonRecords.person($0, pass)
      }) {
        pass.report(
          .userDefaultsSensitive, found, at: variable.range, in: home,
          "# is stored in UserDefaults by a property wrapper, in the clear")
        continue
      }
      if let type, !pass.inspector.couldHold(type, named: variable.name) { continue }
      if case .boolean? = variable.value?.kind { continue }
      let key =
        sharedKey(attribute)
        ?? attribute.arguments.first {
          $0.value.literal != nil && $0.label != "wrappedValue"
            && $0.label?.hasPrefix("default") != true
        }?.value.literal
      guard let found = key.flatMap(SensitiveKind.ofKey) ?? SensitiveKind.ofName(variable.name)
      else {
        continue
      }
      // What only reads a preference stores nothing.
      if name == "AppStorage", let key, pass.project.references.contains(variable.name),
        !isWritten(under: key, pass)
      {
        continue
      }
      var evidence = Evidence(sensitivity: found, name: variable.name, owner: owner, type: type)
      evidence.witness = key.flatMap { pass.inspector.uses?.witness(ofPreference: $0) }
      pass.report(
        .userDefaultsSensitive, evidence, at: variable.range, in: home,
        severity: key.map(SensitiveKind.isOfDevice) == true ? .low : nil,
        "# is stored in UserDefaults by a property wrapper, in the clear")
    }
  }

  /// Returns true if code sets a property that a wrapper stores under a key, hands it to a control, or
  /// stores something else under its key.
  private static func isWritten(under key: String, _ pass: Pass) -> Bool {
    let holders = (pass.project.wrapped["AppStorage"] ?? []).filter { holder in
      holder.variable.attributes.contains { attribute in
        attribute.arguments.contains { $0.value.literal == key }
      }
    }
    if holders.contains(where: { holder in
      pass.project.references.contains("$" + holder.variable.name)
        || pass.project.hasAssignment(to: holder.variable.name)
        || holder.owner.map { pass.project.writes[$0]?[holder.variable.name] != nil } == true
    }) {
      return true
    }
    return ["set", "setValue", "setObject"].contains { call in
      pass.project.calls[call]?.contains { call, scope in
        guard let given = call["forKey"] else { return false }
        return pass.inspector.constant(given, in: scope).map { $0.text == key } ?? true
      } == true
    }
  }

  /// Returns the key of `@Shared(.appStorage("key"))`, or nil for other property wrappers.
  static func sharedKey(_ attribute: Attribute) -> String? {
    guard attribute.name == "Shared",
      case .call(let callee, let arguments)? =
        attribute.arguments.first?.value.kind, callee.lastName == "appStorage"
    else { return nil }
    return arguments.first?.value.literal ?? ""
  }

  /// Returns true if a property wrapper of the project stores its value in UserDefaults.
  static func wrapsDefaults(_ name: String, _ pass: Pass) -> Bool {
    guard let facts = pass.project.types[name],
      facts.declarations.contains(where: { declaration in
        declaration.type.attributes.contains { $0.name == "propertyWrapper" }
      }),
      let accessors = facts.variables["wrappedValue"]?.variable.accessors
    else { return false }
    return accessors.contains { accessor in
      (pass.project.functions[accessor.name] ?? []).contains { declared in
        declared.function === accessor
          && declared.scope.calls.contains {
            $0["forKey"] != nil && $0.name.hasPrefix("set")
              && pass.inspector.isPreferences($0.receiver, in: declared.scope)
          }
      }
    }
  }
}
