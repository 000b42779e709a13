import AtRestAuditModel

extension RuleID {
  static let hardcodedCredential = RuleID("hardcoded-credential")
}

/// Password or token in the app.
enum HardcodedCredential: CodeRule {
  static let rule = Rule(
    .hardcodedCredential, "Password or token in the app",
    severity: .high, level: .required,
    consequence:
      "Anyone who downloads the app can read the password or token from it, and use the service "
      + "as the app does. It cannot be changed without a new version of the app.",
    remedy:
      "Let people sign in, and store the credential that the server returns in the keychain with "
      + "SecItemAdd, or keep the secret on your own server and let it make the call. Revoke "
      + "secrets that have shipped.",
    references: .init(
      masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0004"],
      masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], cwe: [259, 798]),
    bad: .init(
      "Service.swift",
      """
      struct Service {
        let user = "backup"
        let password = "Wint3r!is-over"
      }
      """),
    good: .init(
      "Service.swift",
      """
      struct Service {
        let passwordKey = "password"
        let keychain: Keychain

        func password() throws -> String { try keychain.string(for: passwordKey) }
      }
      """))
}
