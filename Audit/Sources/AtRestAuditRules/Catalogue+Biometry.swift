import AtRestAuditModel

extension RuleID {
  static let biometryWeak = RuleID("biometry-weak")
  static let biometryAnyEnrolment = RuleID("biometry-any-enrolment")
  static let biometryPasscodeFallback = RuleID("biometry-passcode-fallback")
}

extension Rulebook {
  /// Fingers and faces.
  static let biometry: [Rule] = [
    Rule(
      .biometryWeak, "Face ID or Touch ID that only answers yes or no",
      severity: .medium, level: .required,
      consequence:
        "Who can change the running app, as on a device whose protection was broken, turns the "
        + "no into a yes and is in, for nothing that was locked had to be opened.",
      remedy:
        "Keep what is to be guarded in the keychain under a kSecAttrAccessControl with "
        + ".biometryCurrentSet, and read it with the LAContext, so that the system gives it out "
        + "for a finger or face alone.",
      references: .init(
        masvs: ["MSTG-AUTH-8"], mastg: ["MASTG-TEST-0266", "MASTG-TEST-0267"], cwe: [287, 603]),
      bad: .init(
        "Lock.swift",
        """
        func unlock() {
          LAContext().evaluatePolicy(
            .deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open"
          ) { success, _ in
            if success { showVault() }
          }
        }
        """),
      good: .init(
        "Lock.swift",
        """
        func unlock() -> Data? {
          let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccount: "vault",
            kSecUseAuthenticationContext: LAContext(),
            kSecReturnData: true,
          ]
          var item: CFTypeRef?
          SecItemCopyMatching(query as CFDictionary, &item)
          return item as? Data
        }
        """)),
    Rule(
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
        """)),
    Rule(
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
        """)),
  ]
}
