import AtRestAuditModel

extension RuleID {
  package static let containerCredential = RuleID("container-credential")
}

/// Password, token or session that lies in the clear.
enum ContainerCredential: CodeRule {
  static let rule = Rule(
    .containerCredential, "Password, token or session that lies in the clear",
    severity: .high, level: .required, subject: .container,
    consequence: "Whoever reads the file signs in as the person, from any device.",
    remedy:
      "Keep it in the keychain, this device only; use ephemeral sessions where a cache or a cookie "
      + "keeps it.",
    references: .container,
    bad: .init(
      "Library/Preferences/org.example.bank.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>userPassword</key><string>Tr0ub4dor&amp;3x</string>
      </dict></plist>
      """),
    good: .init(
      "Library/Preferences/org.example.bank.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>passwordLength</key><integer>12</integer>
      </dict></plist>
      """))
}
