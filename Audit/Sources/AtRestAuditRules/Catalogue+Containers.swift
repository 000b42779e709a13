import AtRestAuditModel

extension RuleID {
  package static let containerCanary = RuleID("container-canary")
  package static let containerCredential = RuleID("container-credential")
  package static let containerKey = RuleID("container-key")
  package static let containerPayment = RuleID("container-payment")
  package static let containerPersonalData = RuleID("container-personal-data")
  package static let containerKeychainItem = RuleID("container-keychain-item")
  package static let containerSnapshot = RuleID("container-snapshot")
}

extension Rulebook {
  /// What lies in the clear in an app's container, whatever code put it there.
  static let containers: [Rule] = [
    Rule(
      .containerCanary, "What a tester typed in, lying in the clear",
      severity: .high, level: .required, subject: .container,
      consequence:
        "Whoever has the device, a backup of it or another app's way out of its sandbox reads what "
        + "the person typed in.",
      remedy:
        "Find the code that stores it, keep secrets in the keychain and files under complete "
        + "protection, or do not store it; then look again with the same canary.",
      references: container,
      bad: .init(
        "Library/Application Support/profile.json",
        #"{"profile": {"nickname": "canary-correct-horse"}}"#),
      good: .init(
        "Library/Application Support/profile.json",
        #"{"profile": {"nickname": "stored in the keychain"}}"#)),
    Rule(
      .containerCredential, "Password, token or session that lies in the clear",
      severity: .high, level: .required, subject: .container,
      consequence: "Whoever reads the file signs in as the person, from any device.",
      remedy:
        "Keep it in the keychain, this device only; use ephemeral sessions where a cache or a cookie "
        + "keeps it.",
      references: container,
      bad: .init(
        "Library/Preferences/org.example.bank.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>userPassword</key><string>Tr0ub4dor&amp;3x</string>
        </dict></plist>
        """),
      good: .init(
        "Library/Preferences/org.example.bank.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>passwordLength</key><integer>12</integer>
        </dict></plist>
        """)),
    Rule(
      .containerKey, "Private key or key of a service that lies in the clear",
      severity: .high, level: .required, subject: .container,
      consequence:
        "Whoever reads the file signs and decrypts as the app or the person, or uses the service at "
        + "its owner's cost.",
      remedy:
        "Make keys in the Secure Enclave or keep them in the keychain; leave keys of services on a "
        + "server.",
      references: .init(
        masvs: ["MSTG-STORAGE-1", "MSTG-CRYPTO-1"], maswe: ["MASWE-0003", "MASWE-0004"],
        masweBeta: ["MASWE-0013", "MASWE-0014"], mastg: ["MASTG-TEST-0302", "MASTG-TEST-0214"],
        cwe: [312, 321]),
      bad: .init(
        "Documents/client.pem",
        // atrest:ignore hardcoded-key the example of the rule, which is no key
        "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n"
          + "-----END PRIVATE KEY-----\n"),
      good: .init(
        "Documents/client.pem",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n"
          + "-----END PUBLIC KEY-----\n")),
    Rule(
      .containerPayment, "Card or account number that lies in the clear",
      severity: .high, level: .required, subject: .container,
      consequence: "Whoever reads the file pays with it, or in the person's name.",
      remedy:
        "Do not store it: keep the token that the payment provider gives for it, in the keychain.",
      references: container,
      bad: .init("Documents/checkout.json", #"{"cardNumber": "4111 1111 1111 1111"}"#),
      good: .init("Documents/checkout.json", #"{"card": "•••• 1111"}"#)),
    Rule(
      .containerPersonalData, "Personal data that lies in the clear",
      severity: .medium, level: .recommended, subject: .container,
      consequence:
        "Whoever reads the file learns who the person is, where they are or how they are.",
      remedy:
        "Store only what is needed, in files under complete protection or an encrypted database.",
      references: container,
      bad: .init("Documents/profile.json", #"{"dateOfBirth": "1984-03-07"}"#),
      good: .init("Documents/profile.json", #"{"isAdult": true}"#)),
    Rule(
      .containerKeychainItem, "Item of the keychain that more can read than need",
      severity: .medium, level: .recommended, subject: .container,
      consequence:
        "An item that is always accessible opens on a locked device; one that is not bound to the "
        + "device opens wherever a backup or iCloud takes it.",
      remedy:
        "Add it with kSecAttrAccessibleWhenUnlockedThisDeviceOnly, or behind access control.",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0003"], masweBeta: ["MASWE-0013"],
        mastg: ["MASTG-TEST-0302"], cwe: [522]),
      bad: .init(
        "keychain.json",
        """
        [{"item_class": "kSecClassGenericPassword", "account": "ada", "service": "org.example.bank",
          "accessible_attribute": "kSecAttrAccessibleAlways", "access_control": "None",
          "data": "Tr0ub4dor3", "dataHex": "547230756234646f7233",
          "entitlement_group": "TEAM.org.example.bank", "create_date": "2026-01-01 00:00:00 +0000"}]
        """),
      good: .init(
        "keychain.json",
        """
        [{"item_class": "kSecClassGenericPassword", "account": "ada", "service": "org.example.bank",
          "accessible_attribute": "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
          "access_control": "None", "data": "Tr0ub4dor3", "dataHex": "547230756234646f7233",
          "entitlement_group": "TEAM.org.example.bank", "create_date": "2026-01-01 00:00:00 +0000"}]
        """)),
    Rule(
      .containerSnapshot, "Image of the app's screen that the system keeps",
      severity: .note, level: .recommended, subject: .container,
      consequence: "What was on the screen when the app went to the background can be looked at.",
      remedy:
        "Look at it; cover the window in sceneWillResignActive if it shows what it should not.",
      references: .init(
        masvs: ["MSTG-STORAGE-9"], maswe: ["MASWE-0001"], mastg: ["MASTG-TEST-0290"], cwe: [200]),
      bad: .init(
        "Library/SplashBoard/Snapshots/sceneID:org.example.bank-default/"
          + "downscaled/A1B2@2x.jpeg", "\u{FF}"),
      good: .init("Documents/A1B2@2x.jpeg", "\u{FF}")),
  ]

  private static let container = Rule.References(
    masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
    masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], mastg: ["MASTG-TEST-0302"], cwe: [312])
}
