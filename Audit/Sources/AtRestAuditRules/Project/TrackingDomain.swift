import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let trackingDomain = RuleID("tracking-domain")
}

/// Server through which persons are followed.
enum TrackingDomain: CodeRule {
  static let rule = Rule(
    .trackingDomain, "Server through which persons are followed",
    severity: .low, level: .recommended,
    consequence:
      "What a person does in this app is connected there with what they do in others.",
    remedy:
      "Do without the service, or ask with ATTrackingManager.requestTrackingAuthorization before "
      + "it is reached.",
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
          message: "The app follows persons through \(domain).", anchor: domain)
      }
    }
  }
}
