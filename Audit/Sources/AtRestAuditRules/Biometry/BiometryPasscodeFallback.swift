import AtRestAuditModel

extension RuleID {
  static let biometryPasscodeFallback = RuleID("biometry-passcode-fallback")
}

/// Finds access that the passcode opens in place of a finger or face.
enum BiometryPasscodeFallback: CodeRule {
  static let rule = Rule(
    .biometryPasscodeFallback, "Passcode accepted in place of a finger or face",
    severity: .note, level: .recommended,
    consequence:
      "Anyone who has watched the passcode being typed, or guesses it, needs no finger or face.",
    remedy:
      "If the passcode is not enough, use .biometryCurrentSet instead of .userPresence, and "
      + ".deviceOwnerAuthenticationWithBiometrics instead of .deviceOwnerAuthentication.",
    references: .init(
      masvs: ["MSTG-AUTH-8"], mastg: ["MASTG-TEST-0268", "MASTG-TEST-0269"], cwe: [287]),
    bad: .init(
      "Vault.swift",
      """
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence, nil)
      """),
    good: .init(
      "Vault.swift",
      """
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
      """))
}
