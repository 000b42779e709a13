import AtRestAuditModel

extension RuleID {
  static let plaintextPlist = RuleID("plaintext-plist")
}

/// Finds secrets and personal data in property lists.
enum PlaintextPlist: CodeRule {
  static let rule = Rule(
    .plaintextPlist, "Secret or personal data in a property list",
    severity: .high, level: .required,
    consequence:
      "The file contains the value in the clear, so anyone who has a backup or the device's files "
      + "can open it with any editor.",
    remedy:
      "Keep the value in the keychain with SecItemAdd, or encrypt it with a key from the "
      + "keychain, for example with AES.GCM.seal, before it is written.",
    references: .plaintext,
    bad: .init(
      "Account.swift",
      """
      func save(user: String, password: String, in folder: URL) {
        let account: NSDictionary = ["user": user, "password": password]
        account.write(to: folder.appendingPathComponent("account.plist"), atomically: true)
      }
      """),
    good: .init(
      "Account.swift",
      """
      func save(user: String, theme: String, in folder: URL) {
        let account: NSDictionary = ["user": user, "theme": theme]
        account.write(to: folder.appendingPathComponent("account.plist"), atomically: true)
      }
      """))

  static func add(to set: inout CheckSet) {
    // The system keeps the configuration of a VPN in a property list of its own.
    set.onAssignment(["providerConfiguration"]) { assignment, scope, pass in
      guard let found = pass.inspector.sensitivity(of: assignment.value, in: scope),
        found.sensitivity.isSecret
      else { return }
      pass.report(
        .plaintextPlist, found, at: assignment.expression, in: scope, severity: .medium,
        "# is in the configuration of the VPN, which the system keeps outside of the keychain")
    }
  }
}
