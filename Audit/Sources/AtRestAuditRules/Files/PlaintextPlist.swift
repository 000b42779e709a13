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
}
