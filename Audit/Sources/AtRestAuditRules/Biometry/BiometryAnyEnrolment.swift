import AtRestAuditModel

extension RuleID {
  static let biometryAnyEnrolment = RuleID("biometry-any-enrolment")
}

/// Item that a finger or face enrolled later opens.
enum BiometryAnyEnrolment: CodeRule {
  static let rule = Rule(
    .biometryAnyEnrolment, "Item that a finger or face enrolled later opens",
    severity: .low, level: .recommended,
    consequence:
      "Who knows the passcode of the device adds a finger or face of their own and opens the "
      + "item with it.",
    remedy:
      "Use .biometryCurrentSet, with which the item is lost when fingers or faces are added, "
      + "and let the person log in again then.",
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
