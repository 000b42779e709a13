import AtRestAuditModel

extension RuleID {
  static let documentSharing = RuleID("document-sharing")
  static let sensitiveInUrl = RuleID("sensitive-in-url")
  static let thirdPartySharing = RuleID("third-party-sharing")
  static let ipcInventory = RuleID("ipc-inventory")
  static let insecureArchive = RuleID("insecure-archive")
  static let noIntegrityCheck = RuleID("no-integrity-check")
}

extension Rulebook {
  /// What leaves the app, and what comes in.
  static let sharing: [Rule] = [
    Rule(
      .documentSharing, "Documents folder open to others",
      severity: .low, level: .recommended,
      consequence:
        "Who has the unlocked device, or a computer that it trusts, copies and changes every file "
        + "of the Documents folder.",
      remedy:
        "Remove UIFileSharingEnabled and LSSupportsOpeningDocumentsInPlace, or keep in Documents "
        + "only what a person made to be shared and all else in Application Support.",
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
        """)),
    Rule(
      .sensitiveInUrl, "Secret in a web address",
      severity: .high, level: .required,
      consequence:
        "Addresses are written to caches on the device and to the logs of servers and proxies, "
        + "where others read the secret long after.",
      remedy:
        "Send the secret in the body, httpBody, or in the header Authorization of the URLRequest.",
      references: .init(cwe: [598]),
      // atrest:ignore-begin sensitive-in-url the example of the rule
      bad: .init(
        "Login.swift",
        """
        func address(user: String, password: String) -> URL? {
          URL(string: "https://example.org/login?user=\\(user)&password=\\(password)")
        }
        """),
      // atrest:ignore-end sensitive-in-url
      good: .init(
        "Login.swift",
        """
        func request(user: String, password: String) throws -> URLRequest {
          var request = URLRequest(url: URL(string: "https://example.org/login?lang=en")!)
          request.httpMethod = "POST"
          request.httpBody = try JSONEncoder().encode([user, password])
          return request
        }
        """)),
    Rule(
      .thirdPartySharing, "Personal data given to a service of others",
      severity: .medium, level: .required,
      consequence:
        "The value is copied to computers that you do not run, for as long as their owners keep "
        + "it, beside what other apps told them of the same person.",
      remedy:
        "Leave the value out, or give a random identifier that only your app can connect with the "
        + "person.",
      references: .init(masvs: ["MSTG-STORAGE-4"], cwe: [359]),
      bad: .init(
        "Signup.swift",
        """
        import FirebaseAnalytics

        func done(email: String) {
          Analytics.logEvent("signup", parameters: ["email": email])
        }
        """),
      good: .init(
        "Signup.swift",
        """
        import FirebaseAnalytics

        func done(email: String) {
          Analytics.logEvent("signup", parameters: ["valid": email.contains("@")])
        }
        """)),
    Rule(
      .ipcInventory, "Door through which other apps reach this one",
      severity: .note, level: .recommended,
      consequence:
        "Any app or web page can send what it likes through it; believed unchecked, it opens, "
        + "changes or gives away what the app keeps.",
      remedy:
        "Check every part of what arrives, ask the person before anything is done with it, and "
        + "prefer universal links to schemes of URLs.",
      references: .init(
        masvs: ["MSTG-STORAGE-6", "MSTG-PLATFORM-3", "MSTG-PLATFORM-4"], cwe: [939]),
      bad: .init(
        "AppDelegate.swift",
        """
        final class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(
            _ app: UIApplication, open url: URL,
            options: [UIApplication.OpenURLOptionsKey: Any] = [:]
          ) -> Bool { Router.shared.follow(url) }
        }
        """),
      good: .init(
        "AppDelegate.swift",
        """
        final class AppDelegate: UIResponder, UIApplicationDelegate {
          func show(_ url: URL) { UIApplication.shared.open(url) }
        }
        """)),
    Rule(
      .insecureArchive, "Archive that may make objects of any class",
      severity: .medium, level: .required,
      consequence:
        "Who can change the archive decides which classes are made and with what, and may so make "
        + "the app run what they like.",
      remedy:
        "Adopt NSSecureCoding, read with unarchivedObject(ofClass:from:), and write with "
        + "requiringSecureCoding: true; or use Codable.",
      references: .init(
        masvs: ["MSTG-PLATFORM-8"], mastg: ["MASTG-TEST-0386"], cwe: [502]),
      bad: .init(
        "Load.swift",
        """
        func load(_ data: Data) -> [Any]? {
          NSKeyedUnarchiver.unarchiveObject(with: data) as? [Any]
        }
        """),
      good: .init(
        "Load.swift",
        """
        func load(_ data: Data) throws -> [NSString]? {
          try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSString.self, from: data)
        }
        """)),
    Rule(
      .noIntegrityCheck, "Decision that rests on a file anyone can edit",
      severity: .low, level: .recommended,
      consequence:
        "Who has the device, or restores an edited backup, turns the value around and is signed "
        + "in, has paid, or is an administrator.",
      remedy:
        "Let a server or a verified Transaction of StoreKit decide, or keep the value in the "
        + "keychain or beside an HMAC<SHA256> of it whose key is there.",
      references: .init(mastg: ["MASTG-TEST-0387"], cwe: [353]),
      bad: .init(
        "Shop.swift",
        """
        func isOpen() -> Bool { UserDefaults.standard.bool(forKey: "isPremium") }
        """),
      good: .init(
        "Shop.swift",
        """
        func isDark() -> Bool { UserDefaults.standard.bool(forKey: "isDark") }
        """)),
  ]
}
