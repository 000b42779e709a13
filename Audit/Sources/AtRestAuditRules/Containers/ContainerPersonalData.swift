import AtRestAuditModel

extension RuleID {
  package static let containerPersonalData = RuleID("container-personal-data")
}

/// Finds personal data that is stored in the clear.
enum ContainerPersonalData: CodeRule {
  static let rule = Rule(
    .containerPersonalData, "Personal data stored in the clear",
    severity: .medium, level: .recommended, subject: .container,
    consequence:
      "Anyone who reads the file learns who the person is, where they are, or facts about their "
      + "health.",
    remedy:
      "Store only the data that is needed, in files under complete protection or in an encrypted "
      + "database.",
    references: .container,
    bad: .init("Documents/profile.json", #"{"dateOfBirth": "1984-03-07"}"#),
    good: .init("Documents/profile.json", #"{"isAdult": true}"#))
}
