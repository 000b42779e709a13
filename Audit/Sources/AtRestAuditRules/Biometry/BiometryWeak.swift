import AtRestAuditModel

extension RuleID {
  static let biometryWeak = RuleID("biometry-weak")
}

/// Face ID or Touch ID that only answers yes or no.
enum BiometryWeak: CodeRule {
  static let rule = Rule(
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
      """))
}
