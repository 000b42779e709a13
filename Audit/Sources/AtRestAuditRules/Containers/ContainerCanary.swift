import AtRestAuditModel

extension RuleID {
  package static let containerCanary = RuleID("container-canary")
}

/// What a tester typed in, lying in the clear.
enum ContainerCanary: CodeRule {
  static let rule = Rule(
    .containerCanary, "What a tester typed in, lying in the clear",
    severity: .high, level: .required, subject: .container,
    consequence:
      "Whoever has the device, a backup of it or another app's way out of its sandbox reads what "
      + "the person typed in.",
    remedy:
      "Find the code that stores it, keep secrets in the keychain and files under complete "
      + "protection, or do not store it; then look again with the same canary.",
    references: .container,
    bad: .init(
      "Library/Application Support/profile.json",
      #"{"profile": {"nickname": "canary-correct-horse"}}"#),
    good: .init(
      "Library/Application Support/profile.json",
      #"{"profile": {"nickname": "stored in the keychain"}}"#))
}
