import AtRestAuditModel

extension RuleID {
  static let keychainNoAccessControl = RuleID("keychain-no-access-control")
}

/// Finds keychain items that are named after biometry but do not require it.
enum KeychainNoAccessControl: CodeRule {
  static let rule = Rule(
    .keychainNoAccessControl, "Keychain item that is named after biometry but does not require it",
    severity: .medium, level: .required,
    consequence:
      "The item can be read without a finger or face. Code that runs in the app, or that reads "
      + "the keychain of an unlocked device, is never asked for one.",
    remedy:
      "Create an access control with SecAccessControlCreateWithFlags and .biometryCurrentSet, and "
      + "add the item with it under kSecAttrAccessControl.",
    references: .init(
      masvs: ["MSTG-AUTH-8", "MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0266"], cwe: [287, 306]),
    bad: .init(
      "Unlock.swift",
      """
      func storeForFaceID(_ secret: Data) {
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccount: "faceID.secret",
          kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
          kSecValueData: secret,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """),
    good: .init(
      "Unlock.swift",
      """
      func storeForFaceID(_ secret: Data) {
        let control = SecAccessControlCreateWithFlags(
          nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)!
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccount: "faceID.secret",
          kSecAttrAccessControl: control,
          kSecValueData: secret,
        ]
        SecItemAdd(item as CFDictionary, nil)
      }
      """))
}
