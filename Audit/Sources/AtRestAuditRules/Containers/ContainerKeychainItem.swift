import AtRestAuditModel

extension RuleID {
  package static let containerKeychainItem = RuleID("container-keychain-item")
}

/// Finds keychain items that are more accessible than necessary.
enum ContainerKeychainItem: CodeRule {
  static let rule = Rule(
    .containerKeychainItem, "Keychain item that is more accessible than necessary",
    severity: .medium, level: .recommended, subject: .container,
    consequence:
      "An item that is always accessible can be read on a locked device. An item that is not "
      + "bound to the device can be read wherever a backup or iCloud takes it.",
    remedy:
      "Add the item with kSecAttrAccessibleWhenUnlockedThisDeviceOnly, or with an access control "
      + "under kSecAttrAccessControl.",
    references: .init(
      masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0003"], masweBeta: ["MASWE-0013"],
      mastg: ["MASTG-TEST-0302"], cwe: [522]),
    bad: .init(
      "keychain.json",
      """
      [{"item_class": "kSecClassGenericPassword", "account": "ada", "service": "org.example.bank",
        "accessible_attribute": "kSecAttrAccessibleAlways", "access_control": "None",
        "data": "Tr0ub4dor3", "dataHex": "547230756234646f7233",
        "entitlement_group": "TEAM.org.example.bank", "create_date": "2026-01-01 00:00:00 +0000"}]
      """),
    good: .init(
      "keychain.json",
      """
      [{"item_class": "kSecClassGenericPassword", "account": "ada", "service": "org.example.bank",
        "accessible_attribute": "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
        "access_control": "None", "data": "Tr0ub4dor3", "dataHex": "547230756234646f7233",
        "entitlement_group": "TEAM.org.example.bank", "create_date": "2026-01-01 00:00:00 +0000"}]
      """))
}
