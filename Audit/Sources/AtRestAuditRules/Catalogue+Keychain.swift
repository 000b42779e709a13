import AtRestAuditModel

extension RuleID {
  static let keychainDefaultAccessibility = RuleID("keychain-default-accessibility")
  static let keychainAccessibleAlways = RuleID("keychain-accessible-always")
  static let keychainNotThisDeviceOnly = RuleID("keychain-not-this-device-only")
  static let keychainSynchronizable = RuleID("keychain-synchronizable")
  static let keychainNoAccessControl = RuleID("keychain-no-access-control")
  static let keychainAccessibilityAndAccessControl = RuleID(
    "keychain-accessibility-and-access-control")
  static let keychainNotWipedFirstLaunch = RuleID("keychain-not-wiped-first-launch")
  static let keychainNotWipedLogout = RuleID("keychain-not-wiped-logout")
}

extension Rulebook {
  /// Items of the keychain.
  static let keychain: [Rule] = [
    Rule(
      .keychainDefaultAccessibility, "Keychain item without an accessibility of its own",
      severity: .low, level: .recommended,
      consequence:
        "The item gets the system's default, with which it is copied into backups and can be "
        + "restored onto another device, without anyone having decided so.",
      remedy:
        "Give kSecAttrAccessible when the item is added, "
        + "kSecAttrAccessibleWhenUnlockedThisDeviceOnly unless it is needed in the background, "
        + "or a kSecAttrAccessControl.",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0006"], masweBeta: ["MASWE-0004", "MASWE-0003"],
        cwe: [922, 1188]),
      bad: .init(
        "Session.swift",
        """
        func save(token: Data) -> OSStatus {
          let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: "session",
            kSecValueData as String: token,
          ]
          return SecItemAdd(item as CFDictionary, nil)
        }
        """),
      good: .init(
        "Session.swift",
        """
        func save(token: Data) -> OSStatus {
          let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: "session",
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecValueData as String: token,
          ]
          return SecItemAdd(item as CFDictionary, nil)
        }
        """)),
    Rule(
      .keychainAccessibleAlways, "Keychain item that is readable while the device is locked",
      severity: .medium, level: .required,
      consequence:
        "Who finds or steals the device can have the item read out without knowing its "
        + "passcode, even right after it was switched on.",
      remedy:
        "Use kSecAttrAccessibleWhenUnlockedThisDeviceOnly, or "
        + "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly for what is needed in the "
        + "background.",
      references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [522, 922]),
      bad: .init(
        "Session.swift",
        """
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccount: "session",
          kSecAttrAccessible: kSecAttrAccessibleAlways,
        ]
        """),
      good: .init(
        "Session.swift",
        """
        let item: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrAccount: "session",
          kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        """)),
    Rule(
      .keychainNotThisDeviceOnly, "Keychain item that moves to other devices",
      severity: .low, level: .recommended,
      consequence:
        "The item is in every encrypted backup of the device, and who can open a backup or "
        + "restore it onto a device of their own has it.",
      remedy:
        "Use the accessibility's form that ends in ThisDeviceOnly, unless people expect the "
        + "item to come along to a new device.",
      references: .init(
        masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-8"], maswe: ["MASWE-0006"],
        masweBeta: ["MASWE-0004", "MASWE-0003"], cwe: [922]),
      bad: .init(
        "Session.swift",
        """
        func save(token: Data) {
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
            kSecValueData: token,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """),
      good: .init(
        "Session.swift",
        """
        func save(token: Data) {
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecValueData: token,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """)),
    Rule(
      .keychainSynchronizable, "Keychain item that is sent to iCloud",
      severity: .medium, level: .required,
      consequence:
        "The item is copied to all devices of the person, so the least protected of them, or a "
        + "taken over Apple Account, gives it away.",
      remedy:
        "Leave kSecAttrSynchronizable out, unless the item is a password that people expect on "
        + "all of their devices.",
      references: .init(masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-8"], cwe: [922]),
      bad: .init(
        "Vault.swift",
        """
        func keep(key: Data) {
          var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: key]
          item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
          item[kSecAttrSynchronizable] = kCFBooleanTrue
          SecItemAdd(item as CFDictionary, nil)
        }
        """),
      good: .init(
        "Vault.swift",
        """
        func keep(key: Data) {
          var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: key]
          item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
          item[kSecAttrSynchronizable] = kCFBooleanFalse
          SecItemAdd(item as CFDictionary, nil)
        }
        """)),
    Rule(
      .keychainNoAccessControl, "Keychain item that is said to be behind biometry and is not",
      severity: .medium, level: .required,
      consequence:
        "The item can be read without a finger or a face: code that runs in the app, or reads "
        + "the keychain of an unlocked device, is never asked.",
      remedy:
        "Make an access control with SecAccessControlCreateWithFlags and .biometryCurrentSet, "
        + "and add the item with it under kSecAttrAccessControl.",
      references: .init(
        masvs: ["MSTG-AUTH-8", "MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0266"], cwe: [287, 306]),
      bad: .init(
        "Unlock.swift",
        """
        func storeForFaceID(_ secret: Data) {
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccount: "faceID.secret",
            kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            kSecValueData: secret,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """),
      good: .init(
        "Unlock.swift",
        """
        func storeForFaceID(_ secret: Data) {
          let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)!
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccount: "faceID.secret",
            kSecAttrAccessControl: control,
            kSecValueData: secret,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """)),
    Rule(
      .keychainAccessibilityAndAccessControl,
      "Keychain item with both an accessibility and an access control",
      severity: .low, level: .required,
      consequence:
        "The two exclude each other: the item is not stored at all, or what protects it is not "
        + "what the code says.",
      remedy:
        "Give the accessibility to SecAccessControlCreateWithFlags, and leave "
        + "kSecAttrAccessible out of the query.",
      references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [922]),
      bad: .init(
        "Vault.swift",
        """
        func keep(key: Data, control: SecAccessControl) {
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecAttrAccessControl: control,
            kSecValueData: key,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """),
      good: .init(
        "Vault.swift",
        """
        func keep(key: Data, control: SecAccessControl) {
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrAccessControl: control,
            kSecValueData: key,
          ]
          SecItemAdd(item as CFDictionary, nil)
        }
        """)),
    Rule(
      .keychainNotWipedFirstLaunch, "Keychain items that outlive the app's removal",
      severity: .low, level: .required,
      consequence:
        "Who is given or sold the device and installs the app again is logged in as the person "
        + "before them, whose items are still in the keychain.",
      remedy:
        "Keep a flag in UserDefaults, which is removed with the app, and delete all items with "
        + "SecItemDelete at a launch that does not find it.",
      references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [459]),
      bad: .init(
        "AppDelegate.swift",
        """
        class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
          ) -> Bool {
            return true
          }

          func save(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }
        }
        """),
      good: .init(
        "AppDelegate.swift",
        """
        class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
          ) -> Bool {
            if !UserDefaults.standard.bool(forKey: "hasRunBefore") {
              SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
              UserDefaults.standard.set(true, forKey: "hasRunBefore")
            }
            return true
          }

          func save(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }
        }
        """)),
    Rule(
      .keychainNotWipedLogout, "Keychain items that outlive the logout",
      severity: .low, level: .required,
      consequence:
        "Who uses the device after the logout can act as the person who logged out, whose "
        + "tokens are still in the keychain.",
      remedy: "Delete what was stored for the account with SecItemDelete when its person logs out.",
      references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [459, 613]),
      bad: .init(
        "Account.swift",
        """
        class Account {
          var user: String?

          func logIn(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }

          func logout() {
            user = nil
          }
        }
        """),
      good: .init(
        "Account.swift",
        """
        class Account {
          var user: String?

          func logIn(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }

          func logout() {
            user = nil
            SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
          }
        }
        """)),
  ]
}
