import AtRestAuditModel

extension RuleID {
  static let biometryPasscodeFallback = RuleID("biometry-passcode-fallback")
}

/// Passcode that opens what a finger or face should.
enum BiometryPasscodeFallback: CodeRule {
  static let rule = Rule(
    .biometryPasscodeFallback, "Passcode that opens what a finger or face should",
    severity: .low, level: .recommended,
    consequence:
      "Who has watched the passcode being typed, or guesses it, needs no finger or face.",
    remedy:
      "Where the passcode is not enough, use .biometryCurrentSet in place of .userPresence, "
      + "and .deviceOwnerAuthenticationWithBiometrics in place of .deviceOwnerAuthentication.",
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
