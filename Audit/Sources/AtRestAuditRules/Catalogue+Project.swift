import AtRestAuditModel

extension RuleID {
  static let entitlementUnused = RuleID("entitlement-unused")
  static let privacyManifest = RuleID("privacy-manifest")
  static let trackingDomain = RuleID("tracking-domain")
  static let vulnerableDependency = RuleID("vulnerable-dependency")
  static let linuxNoOpProtection = RuleID("linux-no-op-protection")
}

extension Rulebook {
  /// What a project declares, depends on, and is built for.
  static let project: [Rule] = [
    Rule(
      .entitlementUnused, "Right that the app asks for and does not use",
      severity: .low, level: .recommended,
      consequence:
        "Whoever makes the app run code of theirs gets the right too, and reaches data that the "
        + "app itself never needed.",
      remedy: "Remove the capability from the target, which takes it from the entitlements.",
      references: .init(
        masvs: ["MSTG-PLATFORM-1"], mastg: ["MASTG-TEST-0362"], cwe: [250]),
      bad: .init(
        "Notes.entitlements",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
          <key>com.apple.developer.healthkit</key><true/>
        </dict></plist>
        """),
      good: .init(
        "Notes.entitlements",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
          <key>keychain-access-groups</key><array/>
        </dict></plist>
        """)),
    Rule(
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
        """)),
    Rule(
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
        """)),
    Rule(
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
        """)),
    Rule(
      .linuxNoOpProtection, "Protection of files that does nothing on Linux",
      severity: .high, level: .required,
      consequence:
        "On Linux there is no data protection and no backup to be kept from: the call succeeds, "
        + "and the file lies open to who reads the disk.",
      remedy:
        "Encrypt what is written, with AES.GCM of swift-crypto, or compile the call under #if "
        + "canImport(Darwin) and say what protects the file elsewhere.",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0001"],
        masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], cwe: [311, 1188]),
      bad: .init(
        "Keep.swift",
        """
        import Foundation
        #if os(Linux)
        import FoundationNetworking
        #endif

        func keep(_ data: Data, at url: URL) throws {
          try data.write(to: url, options: .completeFileProtection)
        }
        """),
      good: .init(
        "Keep.swift",
        """
        import Foundation
        #if os(Linux)
        import FoundationNetworking
        #endif

        func keep(_ data: Data, at url: URL) throws {
          #if canImport(Darwin)
          try data.write(to: url, options: .completeFileProtection)
          #else
          throw CocoaError(.featureUnsupported)
          #endif
        }
        """)),
  ]
}
