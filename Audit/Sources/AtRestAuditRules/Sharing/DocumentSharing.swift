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
  /// Returns the message about an app whose Documents folder is accessible.
  ///
  /// - Parameter inPlace: True if the Files app shows the folder.
  static func sharing(inPlace: Bool) -> String {
    "Everything in the app's Documents folder can be copied from the device with a cable"
      + (inPlace ? ", and read and changed in the Files app." : ".")
  }

  private static let setting = "INFOPLIST_KEY_UIFileSharingEnabled"
  private static let settingInPlace = "INFOPLIST_KEY_LSSupportsOpeningDocumentsInPlace"

  /// Returns the finding for the build settings from which Xcode creates an app's Info.plist.
  ///
  /// The setting is reported once. Debug builds do not ship and are ignored.
  func sharing(in project: XcodeProject) -> [Finding] {
    let configurations =
      (project.configurations
      + project.targets.filter { $0.kind == .application }.flatMap(\.configurations))
      .filter { !$0.name.lowercased().contains("debug") }
    func isOn(_ name: String) -> (XcodeProject.Configuration) -> Bool {
      { $0.settings[name].map(Self.isYes) == true }
    }
    guard
      let place = configurations.filter(isOn(Self.setting))
        .compactMap({ $0.positions[Self.setting] }).min()
    else { return [] }
    return [
      Self.shared(
        project.path, place, inPlace: configurations.contains(where: isOn(Self.settingInPlace)))
    ]
  }

  func sharing(in file: XCConfig) -> [Finding] {
    let isInPlace = file.settings.contains {
      $0.name == Self.settingInPlace && Self.isYes($0.value)
    }
    return file.settings.filter { $0.name == Self.setting && Self.isYes($0.value) }
      .map { Self.shared(file.path, $0.position, inPlace: isInPlace) }
  }

  private static func shared(_ path: String, _ place: Position, inPlace: Bool) -> Finding {
    Finding(
      rule: .documentSharing, severity: .low, location: location(path, from: place, to: place),
      message: sharing(inPlace: inPlace), anchor: setting)
  }

  static func isYes(_ value: String) -> Bool { value == "YES" || value == "true" }
}
