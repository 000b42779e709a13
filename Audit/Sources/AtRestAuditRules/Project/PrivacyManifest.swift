import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let privacyManifest = RuleID("privacy-manifest")
}

/// Use of an API without a reason in the privacy manifest.
enum PrivacyManifest: CodeRule {
  static let rule = Rule(
    .privacyManifest, "Use of an API without a reason in the privacy manifest",
    severity: .low, level: .required,
    consequence:
      "People cannot learn why the app reads data that could identify their device, and the App "
      + "Store rejects the app.",
    remedy:
      "Declare the category and its reason under NSPrivacyAccessedAPITypes in "
      + "PrivacyInfo.xcprivacy, or stop using the API.",
    references: .init(masvs: ["MSTG-STORAGE-12"], cwe: [359]),
    bad: .init(
      "PrivacyInfo.xcprivacy",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSPrivacyAccessedAPITypes</key>
        <array>
          <dict>
            <key>NSPrivacyAccessedAPIType</key>
            <string>NSPrivacyAccessedAPICategoryUserDefaults</string>
            <key>NSPrivacyAccessedAPITypeReasons</key>
            <array/>
          </dict>
        </array>
      </dict></plist>
      """),
    good: .init(
      "PrivacyInfo.xcprivacy",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSPrivacyAccessedAPITypes</key>
        <array>
          <dict>
            <key>NSPrivacyAccessedAPIType</key>
            <string>NSPrivacyAccessedAPICategoryUserDefaults</string>
            <key>NSPrivacyAccessedAPITypeReasons</key>
            <array><string>CA92.1</string></array>
          </dict>
        </array>
      </dict></plist>
      """))
}

extension ResourceChecks {
  /// Returns a finding for each API category that a privacy manifest names without a reason, and
  /// for each that the code uses and no manifest declares, at its first use.
  ///
  /// Returns nothing for a project that does not ship to the App Store: one that has neither a
  /// manifest nor a target that builds an app.
  package func privacyFindings(in resources: ProjectResources, use: CodeUse) -> [Finding] {
    let manifests = resources.propertyLists.filter {
      ResourcePath.ending(of: $0.path) == "xcprivacy" && !resources.isTestOnly($0.path)
    }
    let targets = resources.projects.flatMap(\.targets)
    guard !manifests.isEmpty || targets.contains(where: { $0.kind == .application }) else {
      return []
    }
    var declared: Set<String> = []
    var findings: [Finding] = []
    for manifest in manifests {
      for entry in manifest.root?["NSPrivacyAccessedAPITypes"]?.array ?? [] {
        guard let type = entry.entry("NSPrivacyAccessedAPIType"), let name = type.node.string else {
          continue
        }
        declared.insert(name)
        if entry["NSPrivacyAccessedAPITypeReasons"]?.array?.isEmpty == false { continue }
        let noun = RequiredReason(rawValue: name)?.noun ?? name
        findings.append(
          Finding(
            rule: .privacyManifest, severity: .low, location: Self.location(manifest.path, type),
            message: "The privacy manifest declares the use of \(noun) without a reason.",
            anchor: name))
      }
    }
    return findings
      + RequiredReason.allCases.compactMap { category in
        guard !declared.contains(category.rawValue), let place = use.categories[category]?.min()
        else {
          return nil
        }
        return Finding(
          rule: .privacyManifest, severity: .low, location: place,
          message: manifests.isEmpty
            ? "The code uses \(category.noun), but the project has no privacy manifest."
            : "The code uses \(category.noun), for which the privacy manifest gives no reason.",
          anchor: category.rawValue)
      }
  }
}
