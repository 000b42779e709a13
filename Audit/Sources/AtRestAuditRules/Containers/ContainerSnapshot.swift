import AtRestAuditModel

extension RuleID {
  package static let containerSnapshot = RuleID("container-snapshot")
}

/// Finds pictures of the app's screen that the system keeps.
enum ContainerSnapshot: CodeRule {
  static let rule = Rule(
    .containerSnapshot, "Picture of the app's screen that the system keeps",
    severity: .note, level: .recommended, subject: .container,
    consequence: "The picture shows what was on the screen when the app went to the background.",
    remedy:
      "Look at the picture. If it shows anything that it should not, cover the window in "
      + "sceneWillResignActive(_:).",
    references: .init(
      masvs: ["MSTG-STORAGE-9"], maswe: ["MASWE-0001"], mastg: ["MASTG-TEST-0290"], cwe: [200]),
    bad: .init(
      "Library/SplashBoard/Snapshots/sceneID:org.example.bank-default/"
        + "downscaled/A1B2@2x.jpeg", "\u{FF}"),
    good: .init("Documents/A1B2@2x.jpeg", "\u{FF}"))
}
