import AtRestAuditModel

extension RuleID {
  package static let containerCredential = RuleID("container-credential")
}

/// Finds passwords, tokens and sessions that are stored in the clear.
enum ContainerCredential: CodeRule {
  static let rule = Rule(
    .containerCredential, "Password, token or session stored in the clear",
    severity: .high, level: .required, subject: .container,
    consequence: "Anyone who reads the file can sign in as the person, from any device.",
    remedy:
      "Keep the secret in the keychain, with an accessibility that ends in ThisDeviceOnly. If a "
      + "cache or a cookie keeps it, use URLSessionConfiguration.ephemeral.",
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
