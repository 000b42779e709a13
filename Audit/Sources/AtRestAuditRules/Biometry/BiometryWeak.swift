import AtRestAuditModel

extension RuleID {
  static let biometryWeak = RuleID("biometry-weak")
}

/// Finds Face ID and Touch ID checks that only return yes or no.
enum BiometryWeak: CodeRule {
  static let rule = Rule(
    .biometryWeak, "Face ID or Touch ID check that only returns yes or no",
    severity: .medium, level: .required,
    consequence:
      "Anyone who can change the running app, for example on a jailbroken device, can turn the no "
      + "into a yes and get in, because the check protects no key.",
    remedy:
      "Store the data to protect in the keychain under a kSecAttrAccessControl with "
      + ".biometryCurrentSet, and read it with the LAContext, so that the system releases it only "
      + "for a finger or face.",
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
