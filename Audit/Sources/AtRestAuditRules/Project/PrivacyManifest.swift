import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let privacyManifest = RuleID("privacy-manifest")
}

/// Use of an API for which the app gives no reason.
enum PrivacyManifest: CodeRule {
  static let rule = Rule(
    .privacyManifest, "Use of an API for which the app gives no reason",
    severity: .low, level: .required,
    consequence:
      "Persons cannot learn why the app looks at what could tell their device from others, and "
      + "the App Store refuses the app.",
    remedy:
      "Name the category and its reason under NSPrivacyAccessedAPITypes in PrivacyInfo.xcprivacy, "
      + "or do without the API.",
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
  /// What the code uses and the privacy manifest does not say, at the first use of each category.
  ///
  /// Nothing for a project without code that ships to the App Store: one that has neither a target
  /// that is an app or an extension nor a manifest.
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
            message: "The privacy manifest names the use of \(noun), and gives no reason for it.",
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
            ? "The code uses \(category.noun), and the project has no privacy manifest."
            : "The code uses \(category.noun), for which the privacy manifest gives no reason.",
          anchor: category.rawValue)
      }
  }
}
