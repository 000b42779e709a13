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
      "Anyone can look up how to attack this version. The app is vulnerable wherever it uses the "
      + "affected part.",
    remedy:
      "Update to a fixed version with swift package update, pod update or carthage update. If no "
      + "version is fixed, stop using the library.",
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
  /// Returns a finding for each advisory that affects a pinned version.
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
        let mended = match.mendedIn.map { " Fixed in \($0)." } ?? ""
        return Finding(
          rule: .vulnerableDependency, severity: severity, location: dependency.location,
          message:
            "\(dependency.name) \(dependency.version ?? "") has \(match.advisory.id)\(summary).\(mended)",
          anchor: dependency.name + " " + match.advisory.id)
      }
    }
  }
}
