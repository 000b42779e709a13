import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainNotThisDeviceOnly = RuleID("keychain-not-this-device-only")
}

/// Finds keychain items that move to other devices.
enum KeychainNotThisDeviceOnly: CodeRule {
  static let rule = Rule(
    .keychainNotThisDeviceOnly, "Keychain item that moves to other devices",
    severity: .low, level: .recommended,
    consequence:
      "The item is in every encrypted backup of the device, so anyone who can open a backup, or "
      + "restore it onto their own device, has the item.",
    remedy:
      "Use the form of the accessibility that ends in ThisDeviceOnly, unless people expect the "
      + "item on a new device.",
    references: .init(
      masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-8"], maswe: ["MASWE-0006"],
      masweBeta: ["MASWE-0004", "MASWE-0003"], cwe: [922]),
    bad: .init(
      "Session.swift",
      """
      func save(token: Data) {
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
          kSecValueData: token,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """),
    good: .init(
      "Session.swift",
      """
      func save(token: Data) {
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
          kSecValueData: token,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment(["accessibility"]) { assignment, scope, pass in
      moves(assignment.value, in: scope, pass)
    }
  }

  /// Reports an accessibility that allows an item in backups.
  static func moves(_ accessibility: Expression, in scope: Scope, _ pass: Pass) {
    let names = pass.inspector.names(in: accessibility, scope)
    let constants = KeychainEnumerations.constants(of: accessibility, in: scope, pass)
    guard
      names.contains(where: moving.contains)
        || constants.contains(where: { value, home in
          pass.inspector.names(in: value, home).contains(where: moving.contains)
        })
    else { return }
    pass.report(
      .keychainNotThisDeviceOnly, at: accessibility, in: scope,
      "the item is included in backups and moves to other devices, unlike with the ThisDeviceOnly "
        + "form of the accessibility")
  }

  private static let moving: Set<String> = [
    "kSecAttrAccessibleWhenUnlocked", "kSecAttrAccessibleAfterFirstUnlock",
    "UICKeyChainStoreAccessibilityWhenUnlocked", "UICKeyChainStoreAccessibilityAfterFirstUnlock",
    "whenUnlocked", "afterFirstUnlock", "accessibleWhenUnlocked", "accessibleAfterFirstUnlock",
  ]
}
