import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let purposeString = RuleID("purpose-string")
}

/// Access to personal data without a purpose in Info.plist.
enum PurposeString: CodeRule {
  static let rule = Rule(
    .purposeString, "Access to personal data without a purpose",
    severity: .low, level: .required,
    consequence:
      "People cannot tell what they agree to when the system asks, and the system ends an app that "
      + "states no purpose at all.",
    remedy:
      "Say in Info.plist, under the key that ends in UsageDescription, what the app does with the "
      + "data, or stop using the API.",
    references: .init(masvs: ["MSTG-PLATFORM-1"], mastg: ["MASTG-TEST-0360"], cwe: [359]),
    bad: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSContactsUsageDescription</key><string></string>
      </dict></plist>
      """),
    good: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSContactsUsageDescription</key><string>Finds friends who use the app.</string>
      </dict></plist>
      """))

  /// Data that the system protects, the keys that state the purpose, and names in code that show the
  /// access.
  struct Resource: Sendable {
    let noun: String
    let keys: Set<String>
    let names: Set<String>
  }

  static let resources: [Resource] = [
    Resource(
      noun: "contacts", keys: ["NSContactsUsageDescription"],
      names: ["CNContactStore", "ABAddressBookRequestAccessWithCompletion"]),
    Resource(
      noun: "the location",
      keys: [
        "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
        "NSLocationAlwaysUsageDescription", "NSLocationUsageDescription",
      ],
      names: ["requestWhenInUseAuthorization", "requestAlwaysAuthorization"]),
    Resource(
      noun: "the camera", keys: ["NSCameraUsageDescription"],
      names: ["AVCaptureVideoPreviewLayer", "VNDocumentCameraViewController"]),
    Resource(
      noun: "the microphone", keys: ["NSMicrophoneUsageDescription"],
      names: ["requestRecordPermission"]),
    Resource(
      noun: "calendars",
      keys: [
        "NSCalendarsUsageDescription", "NSCalendarsFullAccessUsageDescription",
        "NSCalendarsWriteOnlyAccessUsageDescription", "NSRemindersUsageDescription",
        "NSRemindersFullAccessUsageDescription",
      ], names: ["EKEventStore"]),
    Resource(
      noun: "health data",
      keys: ["NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription"],
      names: ["HKHealthStore"]),
    Resource(
      noun: "speech", keys: ["NSSpeechRecognitionUsageDescription"], names: ["SFSpeechRecognizer"]),
    Resource(
      noun: "the activity across apps", keys: ["NSUserTrackingUsageDescription"],
      names: ["requestTrackingAuthorization"]),
  ]
}

extension ResourceChecks {
  /// Returns a finding for each purpose that is empty, and for data that the code accesses although no
  /// Info.plist states a purpose. Projects that make their Info.plist from build settings are not
  /// judged by what it lacks.
  package func purposeFindings(in resources: ProjectResources, use: CodeUse) -> [Finding] {
    let lists = resources.propertyLists.filter {
      ResourcePath.ending(of: $0.path) == "plist" && !resources.isTestOnly($0.path)
        && !resources.isUnused($0)
    }
    var findings: [Finding] = []
    var stated: Set<String> = []
    for list in lists {
      for entry in list.root?.entries ?? [] where entry.key.hasSuffix("UsageDescription") {
        stated.insert(entry.key)
        guard let text = entry.node.string, text.allSatisfy(\.isWhitespace) else { continue }
        findings.append(
          Finding(
            rule: .purposeString, severity: .low, location: Self.location(list.path, entry),
            message: "The purpose of \(entry.key) is empty.", anchor: entry.key))
      }
    }
    let settings =
      resources.projects.flatMap { $0.configurations + $0.targets.flatMap(\.configurations) }
      .flatMap(\.settings.keys) + resources.configurations.flatMap { $0.settings.map(\.name) }
    guard
      let app = lists.first(where: { $0.root?["LSRequiresIPhoneOS"] != nil }),
      let start = app.root?.position, !settings.contains(where: { $0.hasPrefix("INFOPLIST_KEY_") }),
      !settings.contains("GENERATE_INFOPLIST_FILE")
    else { return findings }
    for resource in PurposeString.resources {
      guard resource.keys.isDisjoint(with: stated),
        let name = resource.names.intersection(use.names).min()
      else { continue }
      findings.append(
        Finding(
          rule: .purposeString, severity: .low,
          location: Self.location(app.path, from: start, to: start),
          message: "The code accesses \(resource.noun) with \(name), and no purpose is stated.",
          anchor: resource.noun))
    }
    return findings
  }
}
