import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let trackingDomain = RuleID("tracking-domain")
}

/// Domain that is used to track people.
enum TrackingDomain: CodeRule {
  static let rule = Rule(
    .trackingDomain, "Domain that is used to track people",
    severity: .low, level: .recommended,
    consequence:
      "The server links what a person does in this app with what they do in other apps.",
    remedy:
      "Remove the service, or ask for permission with "
      + "ATTrackingManager.requestTrackingAuthorization before the app connects to it.",
    references: .init(
      masvs: ["MSTG-STORAGE-4"], mastg: ["MASTG-TEST-0281"], cwe: [359]),
    bad: .init(
      "PrivacyInfo.xcprivacy",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSPrivacyTrackingDomains</key>
        <array><string>ads.example.com</string></array>
      </dict></plist>
      """),
    good: .init(
      "PrivacyInfo.xcprivacy",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSPrivacyTracking</key><false/>
        <key>NSPrivacyTrackingDomains</key><array/>
      </dict></plist>
      """))
}

extension ResourceChecks {
  func trackingDomains(in list: PropertyList) -> [Finding] {
    (list.root?["NSPrivacyTrackingDomains"]?.array ?? []).compactMap { node in
      node.string.map { domain in
        Finding(
          rule: .trackingDomain, severity: .low,
          location: Self.location(list.path, from: node.position, to: node.position),
          message: "The app tracks people through \(domain).", anchor: domain)
      }
    }
  }
}
