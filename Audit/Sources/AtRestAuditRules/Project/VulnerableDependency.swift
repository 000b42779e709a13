import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let vulnerableDependency = RuleID("vulnerable-dependency")
}

/// Library with a known vulnerability.
enum VulnerableDependency: CodeRule {
  static let rule = Rule(
    .vulnerableDependency, "Library with a known vulnerability",
    severity: .medium, level: .required,
    consequence:
      "How to attack this version is public, and the app is open to it wherever it uses the "
      + "part that is affected.",
    remedy:
      "Update to the version in which it is mended, with swift package update, pod update or "
      + "carthage update; if there is none, do without the library.",
    references: .init(
      masvs: ["MSTG-CODE-5"], mastg: ["MASTG-TEST-0273", "MASTG-TEST-0275"], cwe: [1395]),
    bad: .init(
      "Cartfile.resolved",
      """
      github "example/swift-parcel" "1.2.0"
      """),
    good: .init(
      "Cartfile.resolved",
      """
      github "example/swift-parcel" "1.2.1"
      """))
}

extension ResourceChecks {
  /// Pinned versions for which there are advisories.
  package func findings(in file: LockFile, _ advisories: AdvisoryDatabase) -> [Finding] {
    file.dependencies.flatMap { dependency in
      advisories.matches(for: dependency).map { match in
        let severity: Severity =
          switch match.advisory.databaseSpecific?.severity?.uppercased() {
          case "CRITICAL", "HIGH": .high
          case "LOW": .low
          default: .medium
          }
        let summary = match.advisory.summary.map { ": \($0)" } ?? ""
        let mended = match.mendedIn.map { " Mended in \($0)." } ?? ""
        return Finding(
          rule: .vulnerableDependency, severity: severity, location: dependency.location,
          message:
            "\(dependency.name) \(dependency.version ?? "") has \(match.advisory.id)\(summary).\(mended)",
          anchor: dependency.name + " " + match.advisory.id)
      }
    }
  }
}
