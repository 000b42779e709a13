import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainAccessibilityAndAccessControl = RuleID(
    "keychain-accessibility-and-access-control")
}

/// Finds keychain items with both an accessibility and an access control.
enum KeychainAccessibilityAndAccessControl: CodeRule {
  static let rule = Rule(
    .keychainAccessibilityAndAccessControl,
    "Keychain item with both an accessibility and an access control",
    severity: .low, level: .required,
    consequence:
      "The two exclude each other: either the item is not stored at all, or it is not protected "
      + "as the code says.",
    remedy:
      "Pass the accessibility to SecAccessControlCreateWithFlags, and leave kSecAttrAccessible "
      + "out of the query.",
    references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [922]),
    bad: .init(
      "Vault.swift",
      """
      func keep(key: Data, control: SecAccessControl) {
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
          kSecAttrAccessControl: control,
          kSecValueData: key,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """),
    good: .init(
      "Vault.swift",
      """
      func keep(key: Data, control: SecAccessControl) {
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccessControl: control,
          kSecValueData: key,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onScope(bothInOneQuery)
  }

  /// Returns true if a function takes the accessibility out of a query.
  static func removes(_ scope: Scope) -> Bool {
    scope.calls.contains { call in
      ["removeValue", "removeObject", "removeObjectForKey"].contains(call.name)
        && call.arguments.contains { $0.value.bare.lastName == "kSecAttrAccessible" }
    }
  }

  private static func bothInOneQuery(_ scope: Scope, _ pass: Pass) {
    if removes(scope) { return }
    for dictionary in scope.dictionaries {
      guard case .dictionary(let pairs) = dictionary.kind else { continue }
      let keys = pairs.map { $0.key.bare.lastName }
      guard keys.contains("kSecAttrAccessControl"),
        let index = keys.firstIndex(of: "kSecAttrAccessible")
      else { continue }
      excluding(pairs[index].value, in: scope, pass)
    }
    for bindings in scope.bindings.values {
      var accessible: Scope.Binding?
      var control: Scope.Binding?
      for binding in bindings {
        guard case .element(let key) = binding.part else { continue }
        if key.bare.lastName == "kSecAttrAccessible" { accessible = binding }
        if key.bare.lastName == "kSecAttrAccessControl" { control = binding }
      }
      if let accessible, let control,
        scope.function?.body?.parts(accessible.offset, control.offset) != true
      {
        excluding(accessible.value, in: scope, pass)
      }
    }
  }

  static func excluding(_ accessible: Expression, in scope: Scope, _ pass: Pass) {
    pass.report(
      .keychainAccessibilityAndAccessControl, at: accessible, in: scope,
      "kSecAttrAccessible and kSecAttrAccessControl exclude each other: the item is refused, or "
        + "one of the two does not protect it")
  }
}
