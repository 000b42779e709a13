import AtRestAuditModel

extension RuleID {
  static let userDefaultsSensitive = RuleID("userdefaults-sensitive")
  static let userdefaultsLarge = RuleID("userdefaults-large")
  static let cookies = RuleID("cookies")
  static let pasteboard = RuleID("pasteboard")
  static let userActivitySensitive = RuleID("user-activity-sensitive")
  static let notificationSensitive = RuleID("notification-sensitive")
}

extension Rulebook {
  /// Preferences, cookies, pasteboards, activities and notifications.
  static let storage: [Rule] = [
    Rule(
      .userDefaultsSensitive, "Secret or personal data in UserDefaults",
      severity: .high, level: .required,
      consequence:
        "UserDefaults is a property list in clear, which is in every backup: who has a backup "
        + "or the device's files reads the value there.",
      remedy:
        "Keep the value in the keychain with SecItemAdd. What is too large for it is encrypted "
        + "with a key that is there.",
      references: .init(
        masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
        masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"],
        mastg: ["MASTG-TEST-0300", "MASTG-TEST-0301", "MASTG-TEST-0302"], cwe: [312, 922]),
      bad: .init(
        "Login.swift",
        """
        func remember(password: String) {
          UserDefaults.standard.set(password, forKey: "loginPassword")
        }
        """),
      good: .init(
        "Login.swift",
        """
        func remember(user: String, rememberPassword: Bool) {
          UserDefaults.standard.set(user, forKey: "lastUser")
          UserDefaults.standard.set(rememberPassword, forKey: "rememberPassword")
        }
        """)),
    Rule(
      .userdefaultsLarge, "Images or whole files in UserDefaults",
      severity: .low, level: .recommended,
      consequence:
        "All of UserDefaults is read at each launch and written anew at each change, so the "
        + "app gets slow and may lose what it saved last.",
      remedy:
        "Write the data to a file with Data.write(to:options:) and .completeFileProtection, "
        + "and keep its name alone in UserDefaults.",
      references: .init(masvs: ["MSTG-STORAGE-1"]),
      bad: .init(
        "Profile.swift",
        """
        func save(avatar: UIImage) {
          UserDefaults.standard.set(avatar.pngData(), forKey: "avatar")
        }
        """),
      good: .init(
        "Profile.swift",
        """
        func save(avatar: UIImage, to file: URL) throws {
          try avatar.pngData()?.write(to: file, options: .completeFileProtection)
          UserDefaults.standard.set(file.lastPathComponent, forKey: "avatar")
        }
        """)),
    Rule(
      .cookies, "Secret in a cookie that is kept on disk",
      severity: .medium, level: .required,
      consequence:
        "Cookies lie in a file in clear, in Cookies.binarycookies: who has the device's files "
        + "or a backup takes the session over.",
      remedy:
        "Keep the token in the keychain and send it in a header of each request, over a "
        + "URLSession with the configuration .ephemeral, whose cookies stay in memory.",
      references: .init(
        masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
        masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], mastg: ["MASTG-TEST-0302"],
        cwe: [312, 315]),
      bad: .init(
        "Session.swift",
        """
        func keep(sessionToken: String) {
          let cookie = HTTPCookie(properties: [
            .domain: "example.org", .path: "/", .name: "sid", .value: sessionToken,
          ])!
          HTTPCookieStorage.shared.setCookie(cookie)
        }
        """),
      good: .init(
        "Session.swift",
        """
        func keep(theme: String) {
          let cookie = HTTPCookie(properties: [
            .domain: "example.org", .path: "/", .name: "theme", .value: theme,
          ])!
          HTTPCookieStorage.shared.setCookie(cookie)
        }
        """)),
    Rule(
      .pasteboard, "Secret or personal data on the pasteboard",
      severity: .medium, level: .required,
      consequence:
        "Any app that is opened next can read it, and so can the person's other devices "
        + "nearby, which share the pasteboard.",
      remedy:
        "Do not offer to copy secrets. Where people need it, use setItems(_:options:) with "
        + ".localOnly and an .expirationDate.",
      references: .init(
        masvs: ["MSTG-STORAGE-2"],
        mastg: [
          "MASTG-TEST-0276", "MASTG-TEST-0277", "MASTG-TEST-0278", "MASTG-TEST-0279",
          "MASTG-TEST-0280",
        ], cwe: [200]),
      bad: .init(
        "Card.swift",
        """
        func copyNumber(cardNumber: String) {
          UIPasteboard.general.string = cardNumber
        }
        """),
      good: .init(
        "Card.swift",
        """
        func copyNumber(cardNumber: String) {
          UIPasteboard.general.setItems(
            [["public.utf8-plain-text": cardNumber]],
            options: [.localOnly: true, .expirationDate: Date().addingTimeInterval(60)])
        }
        """)),
    Rule(
      .userActivitySensitive, "Secret or personal data in a user activity or the search index",
      severity: .medium, level: .required,
      consequence:
        "The system keeps activities, offers them in its search and hands them to the person's "
        + "other devices, so the value is seen where the app has no say.",
      remedy:
        "Put an identifier into the userInfo of the NSUserActivity, or the CSSearchableItem, "
        + "and look the value up when the activity is continued.",
      references: .init(masvs: ["MSTG-STORAGE-2"], cwe: [200]),
      bad: .init(
        "Record.swift",
        """
        func show(diagnosis: String) {
          let activity = NSUserActivity(activityType: "org.example.record")
          activity.userInfo = ["diagnosis": diagnosis]
          activity.becomeCurrent()
        }
        """),
      good: .init(
        "Record.swift",
        """
        func show(record: UUID) {
          let activity = NSUserActivity(activityType: "org.example.record")
          activity.userInfo = ["record": record.uuidString]
          activity.becomeCurrent()
        }
        """)),
    Rule(
      .notificationSensitive, "Secret or personal data in a notification",
      severity: .medium, level: .required,
      consequence:
        "Notifications stand on the locked screen for all to read, and the system keeps them "
        + "in a database.",
      remedy:
        "Say in the UNMutableNotificationContent only that there is something new, and show it "
        + "in the app once the device is unlocked.",
      references: .init(masvs: ["MSTG-STORAGE-2", "MSTG-STORAGE-7"], cwe: [200]),
      bad: .init(
        "Alerts.swift",
        """
        func announce(verificationCode: String) {
          let content = UNMutableNotificationContent()
          content.body = "Your code: \\(verificationCode)"
        }
        """),
      good: .init(
        "Alerts.swift",
        """
        func announce(verificationCode: String) {
          let content = UNMutableNotificationContent()
          content.body = "Your code has come. Open the app to see it."
        }
        """)),
  ]
}
