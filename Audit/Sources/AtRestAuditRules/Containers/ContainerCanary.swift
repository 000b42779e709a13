import AtRestAuditModel

extension RuleID {
  package static let containerCanary = RuleID("container-canary")
}

/// Finds text that a tester typed and that the app stored in the clear.
enum ContainerCanary: CodeRule {
  static let rule = Rule(
    .containerCanary, "Text that a tester typed in, stored in the clear",
    severity: .high, level: .required, subject: .container,
    consequence:
      "Anyone who has the device or a backup of it, or a way out of another app's sandbox, can "
      + "read the text that the person typed in.",
    remedy:
      "Find the code that stores the text. Keep secrets in the keychain and files under complete "
      + "protection, or do not store the text. Then search again for the same canary.",
    references: .container,
    bad: .init(
      "Library/Application Support/profile.json",
      #"{"profile": {"nickname": "canary-correct-horse"}}"#),
    good: .init(
      "Library/Application Support/profile.json",
      #"{"profile": {"nickname": "stored in the keychain"}}"#))
}
