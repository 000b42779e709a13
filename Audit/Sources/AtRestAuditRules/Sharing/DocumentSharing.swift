import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let documentSharing = RuleID("document-sharing")
}

/// Documents folder that is accessible from outside the app.
enum DocumentSharing: CodeRule {
  static let rule = Rule(
    .documentSharing, "Documents folder that is accessible from outside the app",
    severity: .low, level: .recommended,
    consequence:
      "Anyone who has the unlocked device, or a computer that it trusts, can copy and change every "
      + "file in the Documents folder.",
    remedy:
      "Remove UIFileSharingEnabled and LSSupportsOpeningDocumentsInPlace. Alternatively, keep in "
      + "Documents only files that people create to share, and the rest in Application Support.",
    references: .init(
      masvs: ["MSTG-STORAGE-2"], maswe: ["MASWE-0002"], masweBeta: ["MASWE-0007", "MASWE-0002"],
      mastg: ["MASTG-TEST-0303"], cwe: [552]),
    bad: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>UIFileSharingEnabled</key><true/></dict></plist>
      """),
    good: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>UIFileSharingEnabled</key><false/></dict></plist>
      """))
}

extension ResourceChecks {
  /// The keys of an Info.plist that make the Documents folder accessible, with their findings.
  static let sharing: [(key: String, severity: Severity, message: String)] = [
    (
      "UIFileSharingEnabled", .medium,
      "Everything in the app's Documents folder can be copied from the device with a cable."
    ),
    (
      "LSSupportsOpeningDocumentsInPlace", .low,
      "The app's Documents folder can be read and changed in the Files app."
    ),
  ]

  /// Returns the findings for the build settings from which Xcode creates an app's Info.plist.
  ///
  /// Each setting is reported once. Debug builds do not ship and are ignored.
  func sharing(in project: XcodeProject) -> [Finding] {
    let configurations =
      project.configurations
      + project.targets.filter { $0.kind == .application }.flatMap(\.configurations)
    return Self.sharing.compactMap { sharing in
      let name = "INFOPLIST_KEY_" + sharing.key
      let places = configurations.filter {
        !$0.name.lowercased().contains("debug") && $0.settings[name].map(Self.isYes) == true
      }.compactMap { $0.positions[name] }
      return places.min().map {
        Finding(
          rule: .documentSharing, severity: sharing.severity,
          location: Self.location(project.path, from: $0, to: $0), message: sharing.message,
          anchor: name)
      }
    }
  }

  func sharing(in file: XCConfig) -> [Finding] {
    file.settings.compactMap { setting in
      guard let sharing = Self.sharing.first(where: { setting.name == "INFOPLIST_KEY_" + $0.key }),
        Self.isYes(setting.value)
      else { return nil }
      return Finding(
        rule: .documentSharing, severity: sharing.severity,
        location: Self.location(file.path, from: setting.position, to: setting.position),
        message: sharing.message, anchor: setting.name)
    }
  }

  static func isYes(_ value: String) -> Bool { value == "YES" || value == "true" }
}
