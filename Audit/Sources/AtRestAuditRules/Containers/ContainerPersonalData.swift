import AtRestAuditModel

extension RuleID {
  package static let containerPersonalData = RuleID("container-personal-data")
}

/// Personal data that lies in the clear.
enum ContainerPersonalData: CodeRule {
  static let rule = Rule(
    .containerPersonalData, "Personal data that lies in the clear",
    severity: .medium, level: .recommended, subject: .container,
    consequence:
      "Whoever reads the file learns who the person is, where they are or how they are.",
    remedy:
      "Store only what is needed, in files under complete protection or an encrypted database.",
    references: .container,
    bad: .init("Documents/profile.json", #"{"dateOfBirth": "1984-03-07"}"#),
    good: .init("Documents/profile.json", #"{"isAdult": true}"#))
}
