import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainDefaultAccessibility = RuleID("keychain-default-accessibility")
}

/// Finds keychain items without an explicit accessibility.
enum KeychainDefaultAccessibility: CodeRule {
  static let rule = Rule(
    .keychainDefaultAccessibility, "Keychain item without an explicit accessibility",
    severity: .low, level: .recommended,
    consequence:
      "The item gets the system's default, so it is copied into backups and can be restored onto "
      + "another device without anyone having chosen that.",
    remedy:
      "Add the item with kSecAttrAccessible. Use kSecAttrAccessibleWhenUnlockedThisDeviceOnly "
      + "unless the item is needed in the background, or use a kSecAttrAccessControl.",
    references: .init(
      masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0006"], masweBeta: ["MASWE-0004", "MASWE-0003"],
      cwe: [922, 1188]),
    bad: .init(
      "Session.swift",
      """
      func save(token: Data) -> OSStatus {
        let item: [String: Any] = [
          kSecClass as String: kSecClassGenericPassword,
          kSecAttrAccount as String: "session",
          kSecValueData as String: token,
        ]
        return SecItemAdd(item as CFDictionary, nil)
      }
      """),
    good: .init(
      "Session.swift",
      """
      func save(token: Data) -> OSStatus {
        let item: [String: Any] = [
          kSecClass as String: kSecClassGenericPassword,
          kSecAttrAccount as String: "session",
          kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
          kSecValueData as String: token,
        ]
        return SecItemAdd(item as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["SecKeyCreateRandomKey", "SecKeyGeneratePair"]) { call, scope, pass in
      guard let query = call[0] else { return }
      generated(query, by: call, scope, pass)
    }
  }

  private static func generated(
    _ query: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    guard let entries = pass.inspector.dictionary(query, in: scope), entries.isComplete,
      let attributes = entries["kSecPrivateKeyAttrs"],
      let inner = pass.inspector.dictionary(attributes.value, in: attributes.scope),
      inner.isComplete,
      let permanent = inner["kSecAttrIsPermanent"] ?? entries["kSecAttrIsPermanent"]
    else { return }
    if case .boolean(false) = permanent.value.bare.kind { return }
    if inner["kSecAttrAccessible"] == nil, inner["kSecAttrAccessControl"] == nil,
      entries["kSecAttrAccessible"] == nil, entries["kSecAttrAccessControl"] == nil
    {
      pass.report(
        .keychainDefaultAccessibility, at: call.expression, in: scope,
        "the private key is stored without kSecAttrAccessible or kSecAttrAccessControl")
    }
  }
}
