import AtRestAuditModel

extension RuleID {
  package static let containerSnapshot = RuleID("container-snapshot")
}

/// Image of the app's screen that the system keeps.
enum ContainerSnapshot: CodeRule {
  static let rule = Rule(
    .containerSnapshot, "Image of the app's screen that the system keeps",
    severity: .note, level: .recommended, subject: .container,
    consequence: "What was on the screen when the app went to the background can be looked at.",
    remedy:
      "Look at it; cover the window in sceneWillResignActive if it shows what it should not.",
    references: .init(
      masvs: ["MSTG-STORAGE-9"], maswe: ["MASWE-0001"], mastg: ["MASTG-TEST-0290"], cwe: [200]),
    bad: .init(
      "Library/SplashBoard/Snapshots/sceneID:org.example.bank-default/"
        + "downscaled/A1B2@2x.jpeg", "\u{FF}"),
    good: .init("Documents/A1B2@2x.jpeg", "\u{FF}"))
}
