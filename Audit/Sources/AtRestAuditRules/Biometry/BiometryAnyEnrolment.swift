import AtRestAuditModel

extension RuleID {
  static let biometryAnyEnrolment = RuleID("biometry-any-enrolment")
}

/// Finds keychain items that a finger or face enrolled later can open.
enum BiometryAnyEnrolment: CodeRule {
  static let rule = Rule(
    .biometryAnyEnrolment, "Keychain item that a newly enrolled finger or face can open",
    severity: .low, level: .recommended,
    consequence:
      "Anyone who knows the device's passcode can enrol their own finger or face and open the "
      + "item with it.",
    remedy:
      "Use .biometryCurrentSet, which invalidates the item when a finger or face is added, and "
      + "ask the person to log in again when that happens.",
    references: .init(
      masvs: ["MSTG-AUTH-8"], mastg: ["MASTG-TEST-0270", "MASTG-TEST-0271"], cwe: [287]),
    bad: .init(
      "Vault.swift",
      """
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryAny, nil)
      """),
    good: .init(
      "Vault.swift",
      """
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
      """))
}
