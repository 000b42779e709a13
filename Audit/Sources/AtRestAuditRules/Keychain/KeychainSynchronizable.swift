import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainSynchronizable = RuleID("keychain-synchronizable")
}

/// Finds keychain items that are sent to iCloud.
enum KeychainSynchronizable: CodeRule {
  static let rule = Rule(
    .keychainSynchronizable, "Keychain item that is sent to iCloud",
    severity: .low, level: .required,
    consequence:
      "The item is copied to all of the person's devices, so the least protected of them, or a "
      + "compromised Apple Account, exposes it.",
    remedy:
      "Leave kSecAttrSynchronizable out, unless the item is a password that people expect on "
      + "all of their devices.",
    references: .init(masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-8"], cwe: [922]),
    bad: .init(
      "Vault.swift",
      """
      func keep(key: Data) {
        var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: key]
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
        item[kSecAttrSynchronizable] = kCFBooleanTrue
        SecItemAdd(item as CFDictionary, nil)
      }
      """),
    good: .init(
      "Vault.swift",
      """
      func keep(key: Data) {
        var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: key]
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        item[kSecAttrSynchronizable] = kCFBooleanFalse
        SecItemAdd(item as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["synchronizable"]) { call, scope, pass in
      guard let flag = call[0], pass.inspector.isTrue(flag, in: scope),
        isKeychain(call.receiver, scope, pass), !isOnlyRead(call, scope),
        !isOnlyReadByOwner(call, scope, pass)
      else { return }
      pass.report(
        .keychainSynchronizable, at: call.expression, in: scope,
        "iCloud Keychain copies the item to the user's other devices")
    }
    // `set(value, forKey: "x", isSynchronizable: true)`, `Valet.iCloudValet(…)`
    set.onScope { scope, pass in
      for call in scope.calls {
        let flag = call["isSynchronizable"] ?? call["synchronizable"]
        let isShared = call.name == "iCloudValet" || call.name == "iCloudSharedGroupValet"
        guard isShared || flag.map({ pass.inspector.isTrue($0, in: scope) }) == true,
          isShared || call.name.contains("Keychain") || isKeychain(call.receiver, scope, pass),
          !KeychainChecks.isReading(call.name)
        else { continue }
        pass.report(
          .keychainSynchronizable, at: call.expression, in: scope,
          "iCloud Keychain copies the item to the user's other devices")
      }
      built(scope, pass)
    }
    set.onAssignment(["synchronizationMode"]) { assignment, scope, pass in
      guard assignment.value.lastName?.hasSuffix("SynchronizationModeYes") == true else { return }
      pass.report(
        .keychainSynchronizable, at: assignment.expression, in: scope,
        "iCloud Keychain copies the item to the user's other devices")
    }
    set.onAssignment(["synchronizable", "isSynchronizable"]) { assignment, scope, pass in
      guard pass.inspector.isTrue(assignment.value, in: scope),
        isKeychain(assignment.target, scope, pass), !isOnlyRead(assignment, scope)
      else { return }
      pass.report(
        .keychainSynchronizable, at: assignment.expression, in: scope,
        "iCloud Keychain copies the item to the user's other devices")
    }
  }

  /// Reports a method that marks the attributes of its object, as a builder does.
  private static func built(_ scope: Scope, _ pass: Pass) {
    guard pass.project.calls["SecItemAdd"] != nil,
      !scope.calls.contains(where: { $0.name.hasPrefix("SecItem") })
    else { return }
    for (name, bindings) in scope.bindings {
      guard case .property = pass.inspector.meaning(of: name, in: scope) else { continue }
      for binding in bindings {
        guard case .element(let key) = binding.part,
          key.bare.lastName == "kSecAttrSynchronizable",
          pass.inspector.isTrue(binding.value, in: scope)
        else { continue }
        pass.report(
          .keychainSynchronizable, at: binding.value, in: scope,
          "iCloud Keychain copies the item to the user's other devices")
      }
    }
  }

  /// Returns true if the chain of a call ends by reading: `keychain.synchronizable(true).get("a")`.
  private static func isOnlyRead(_ call: Scope.Call, _ scope: Scope) -> Bool {
    scope.calls.contains {
      $0.receiver?.contains(call.expression) == true && KeychainChecks.isReading($0.name)
    }
  }

  /// Returns true if a call is part of the initial value of a property, through which the methods of
  /// its type only read.
  private static func isOnlyReadByOwner(
    _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard scope.function == nil, let facts = scope.owner.flatMap({ pass.project.types[$0] }),
      let name = facts.variables.first(where: { _, entry in
        entry.file === scope.file && entry.variable.range.contains(call.expression.range.lowerBound)
      })?.key
    else { return false }
    let methods = facts.declarations.flatMap(\.type.functions).compactMap(pass.project.scope)
    let calls = methods.flatMap(\.calls).filter { $0.receiver?.path == name }
    let writes = methods.contains { $0.bindings[name]?.isEmpty == false }
    return !writes && calls.allSatisfy { KeychainChecks.isReading($0.name) }
      && methods.contains { method in
        !calls.isEmpty || method.variables.contains { $0.value?.mentions(name) == true }
      }
  }

  /// Returns true if the function that sets a keychain up only reads from it.
  private static func isOnlyRead(_ assignment: Scope.Assignment, _ scope: Scope) -> Bool {
    let uses = scope.calls.filter { $0.receiver?.written == assignment.target?.written }
    return !uses.isEmpty && uses.allSatisfy { KeychainChecks.isReading($0.name) }
  }

  /// Returns true if a receiver is a keychain wrapper, judging by its type and its name.
  private static func isKeychain(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    let type = receiver.flatMap { pass.inspector.type(of: $0, in: scope) } ?? scope.owner ?? ""
    return [type, receiver?.written ?? ""].contains {
      let name = $0.lowercased()
      return name.contains("keychain") || name.contains("valet")
    }
  }
}

extension Expression {
  /// Returns true if the expression reads an entry of a property: `keychain[data: key]`.
  fileprivate func mentions(_ name: String) -> Bool {
    if case .index(let base, _) = bare.kind { base.path == name } else { false }
  }
}
