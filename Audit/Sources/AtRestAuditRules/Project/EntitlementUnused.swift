import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension RuleID {
  static let entitlementUnused = RuleID("entitlement-unused")
}

/// Entitlement that no code uses.
enum EntitlementUnused: CodeRule {
  static let rule = Rule(
    .entitlementUnused, "Entitlement that no code uses",
    severity: .low, level: .recommended,
    consequence:
      "Anyone who makes the app run their code gets the entitlement too, and can reach data that "
      + "the app never needed.",
    remedy: "Remove the capability from the target. This also removes the entitlement.",
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
      """))
}

extension ResourceChecks {
  /// Returns a finding for each entitlement that no code uses.
  package func entitlementFindings(in resources: ProjectResources, use: CodeUse) -> [Finding] {
    // A folder that is shown in iCloud Drive is declared in Info.plist and needs no code.
    let information = Set(
      resources.propertyLists.filter { ResourcePath.ending(of: $0.path) == "plist" }
        .flatMap { $0.root?.entries ?? [] }.map(\.key))
    let dependencies = resources.locks.flatMap(\.dependencies).map { $0.name.lowercased() }
    let words =
      dependencies + use.modules.map { $0.lowercased() } + information.map { $0.lowercased() }
    // Several entries and files may grant the same right, which is reported once.
    var rights: Set<String> = []
    return resources.propertyLists.filter {
      ResourcePath.ending(of: $0.path) == "entitlements" && !resources.isTestOnly($0.path)
    }.sorted { (Self.isEarly($0.path) ? 1 : 0, $0.path) < (Self.isEarly($1.path) ? 1 : 0, $1.path) }
      .flatMap { list in
        (list.root?.entries ?? []).compactMap { entry -> Finding? in
          guard entry.node.array?.isEmpty != true,
            let evidence = Self.evidence.first(where: { entry.key.hasPrefix($0.key) }),
            use.modules.isDisjoint(with: evidence.modules),
            use.names.union(information).isDisjoint(with: evidence.names),
            !words.contains(where: { word in evidence.libraries.contains { word.contains($0) } }),
            rights.insert(evidence.right).inserted
          else { return nil }
          return Finding(
            rule: .entitlementUnused, severity: .low, location: Self.location(list.path, entry),
            message: "The app may \(evidence.right), but no code uses this entitlement.",
            anchor: entry.key)
        }
      }
  }

  /// Returns true for the entitlements of builds that are not released.
  static func isEarly(_ path: String) -> Bool {
    Words.split(ResourcePath.name(of: path)).contains {
      ["alpha", "beta", "debug", "dev", "development", "adhoc"].contains($0)
    }
  }

  /// Names in code that show the use of an entitlement, of an API that requires a reason, or of data
  /// that needs a purpose.
  static let namesOfInterest = Set(evidence.flatMap(\.names))
    .union(RequiredReason.allCases.flatMap(\.names))
    .union(PurposeString.resources.flatMap(\.names))

  /// The imported modules and mentioned names that show that an entitlement is used.
  private struct Evidence {
    let key: String
    let right: String
    let modules: Set<String>
    let names: Set<String>
    /// Parts of the names of libraries, and of keys of Info.plist, that use the entitlement for the
    /// app.
    var libraries: [String] = []
  }

  private static let evidence: [Evidence] = [
    Evidence(
      key: "keychain-access-groups", right: "share keychain items",
      modules: [
        "KeychainAccess", "SwiftKeychainWrapper", "KeychainSwift", "SimpleKeychain", "Valet",
        "SAMKeychain",
        "Locksmith", "UICKeyChainStore", "MSAL",
      ],
      names: [
        "kSecAttrAccessGroup", "accessGroup", "SecItemAdd", "SecItemCopyMatching", "SecItemUpdate",
      ], libraries: ["keychain", "adal", "msal", "appauth", "firebaseauth", "auth0"]),
    Evidence(
      key: "com.apple.security.application-groups", right: "share files within an app group",
      modules: [],
      names: [
        "containerURL", "forSecurityApplicationGroupIdentifier", "suiteName", "initWithSuiteName",
        "containerURLForSecurityApplicationGroupIdentifier", "sharedContainerIdentifier",
        "kSecAttrAccessGroup", "accessGroup", "appGroup", "appGroupIdentifier",
        "CFNotificationCenterGetDarwinNotifyCenter",
      ]),
    Evidence(
      key: "aps-environment", right: "receive push notifications",
      modules: ["PushKit", "FirebaseMessaging", "OneSignal", "OneSignalFramework", "CloudKit"],
      names: [
        "registerForRemoteNotifications", "didRegisterForRemoteNotificationsWithDeviceToken",
        "PKPushRegistry", "pushType",
      ]),
    Evidence(
      key: "com.apple.developer.healthkit", right: "read and write health data",
      modules: ["HealthKit", "HealthKitUI"], names: ["HKHealthStore"]),
    Evidence(
      key: "com.apple.developer.homekit", right: "control HomeKit accessories",
      modules: ["HomeKit"], names: ["HMHomeManager"]),
    Evidence(
      key: "com.apple.developer.icloud", right: "store files in iCloud", modules: ["CloudKit"],
      names: icloud, libraries: ["cloud"]),
    Evidence(
      key: "com.apple.developer.ubiquity-container", right: "store files in iCloud",
      modules: ["CloudKit"], names: icloud),
    Evidence(
      key: "com.apple.developer.ubiquity", right: "store values in iCloud", modules: ["CloudKit"],
      names: icloud),
    Evidence(
      key: "com.apple.developer.siri", right: "answer requests from Siri",
      modules: ["Intents", "IntentsUI", "AppIntents"], names: ["INIntent", "INPreferences"]),
    Evidence(
      key: "com.apple.developer.in-app-payments", right: "accept payments with Apple Pay",
      modules: ["PassKit", "StripeApplePay", "Stripe"], names: ["PKPaymentRequest"]),
    Evidence(
      key: "com.apple.developer.pass-type-identifiers", right: "read passes in Wallet",
      modules: ["PassKit"], names: ["PKPassLibrary", "PKPass"]),
    Evidence(
      key: "com.apple.developer.nfc.readersession", right: "read NFC tags", modules: ["CoreNFC"],
      names: ["NFCNDEFReaderSession", "NFCTagReaderSession"], libraries: ["yubikit"]),
    Evidence(
      key: "com.apple.developer.networking.wifi-info", right: "read the name of the Wi-Fi network",
      modules: [], names: ["CNCopyCurrentNetworkInfo", "NEHotspotNetwork", "fetchCurrent"]),
    Evidence(
      key: "com.apple.developer.networking.HotspotConfiguration", right: "join Wi-Fi networks",
      modules: ["NetworkExtension"], names: ["NEHotspotConfigurationManager"]),
    Evidence(
      key: "com.apple.developer.networking.networkextension", right: "filter or tunnel the network",
      modules: ["NetworkExtension"], names: []),
    Evidence(
      key: "com.apple.developer.networking.vpn.api", right: "set up a VPN",
      modules: ["NetworkExtension"], names: ["NEVPNManager"]),
    Evidence(
      key: "com.apple.developer.applesignin", right: "sign people in with Apple",
      modules: ["AuthenticationServices"], names: ["ASAuthorizationAppleIDProvider"]),
    Evidence(
      key: "com.apple.developer.authentication-services.autofill-credential-provider",
      right: "offer passwords to other apps", modules: ["AuthenticationServices"], names: []),
    Evidence(
      key: "com.apple.developer.ClassKit", right: "report progress to teachers",
      modules: ["ClassKit"], names: ["CLSDataStore"]),
    Evidence(
      key: "com.apple.developer.weatherkit", right: "request weather data", modules: ["WeatherKit"],
      names: []),
  ]

  private static let icloud: Set<String> = [
    "NSUbiquitousContainers", "NSUbiquitousKeyValueStore", "ubiquityIdentityToken",
    "forUbiquityContainerIdentifier",
    "URLForUbiquityContainerIdentifier", "NSPersistentCloudKitContainer", "CKContainer",
    "setUbiquitous", "NSMetadataQuery", "UIDocumentBrowserViewController",
    "cloudKitContainerOptions",
    "ModelContainer", "UIDocument",
  ]
}
