import AtRestAuditModel

extension RuleID {
  static let logSensitive = RuleID("log-sensitive")
  static let secureTextEntryMissing = RuleID("secure-text-entry-missing")
  static let autocorrectionNotDisabled = RuleID("autocorrection-not-disabled")
  static let backgroundSnapshot = RuleID("background-snapshot")
  static let customKeyboards = RuleID("custom-keyboards")
}

extension Rulebook {
  /// Logs, text fields, screens and keyboards.
  static let interface: [Rule] = [
    Rule(
      .logSensitive, "Secret or personal data in a log",
      severity: .high, level: .required,
      consequence:
        "Logs are kept by the device, read with a cable, and sent along with reports of crashes: "
        + "who has one of these reads the value.",
      remedy:
        "Leave the value out, or write it with Logger as \\(value, privacy: .private); log what "
        + "happened, and not with what.",
      references: .init(
        masvs: ["MSTG-STORAGE-3"], maswe: ["MASWE-0005"], masweBeta: ["MASWE-0001"],
        mastg: ["MASTG-TEST-0296", "MASTG-TEST-0297"], cwe: [532]),
      bad: .init(
        "Login.swift",
        """
        func login(user: String, password: String) {
          print("login of \\(user) with \\(password)")
        }
        """),
      good: .init(
        "Login.swift",
        """
        func login(user: String, password: String) {
          print("login, password of \\(password.count) characters")
        }
        """)),
    Rule(
      .secureTextEntryMissing, "Password field that shows what is typed",
      severity: .medium, level: .required,
      consequence:
        "Who looks over the shoulder, records the screen or finds the picture that the system "
        + "took of it reads the password; keyboards of others may be used to type it.",
      remedy:
        "Use SecureField in SwiftUI, and isSecureTextEntry = true or Secure Text Entry in "
        + "Interface Builder.",
      references: .init(
        masvs: ["MSTG-STORAGE-7"], mastg: ["MASTG-TEST-0346", "MASTG-TEST-0347"], cwe: [549]),
      bad: .init(
        "Login.swift",
        """
        import SwiftUI

        struct Login: View {
          @State private var password = ""
          var body: some View { TextField("Password", text: $password) }
        }
        """),
      good: .init(
        "Login.swift",
        """
        import SwiftUI

        struct Login: View {
          @State private var password = ""
          var body: some View { SecureField("Password", text: $password) }
        }
        """)),
    Rule(
      .autocorrectionNotDisabled, "Field for sensitive data from which the keyboard learns",
      severity: .medium, level: .required,
      consequence:
        "The keyboard keeps words that are typed with autocorrection on, proposes them in other "
        + "apps, and stores them in a file outside of the app.",
      remedy:
        "Set autocorrectionType and spellCheckingType to .no, or autocorrectionDisabled() in "
        + "SwiftUI; secure fields need neither.",
      references: .init(
        masvs: ["MSTG-STORAGE-5"], mastg: ["MASTG-TEST-0313", "MASTG-TEST-0314"], cwe: [524]),
      bad: .init(
        "Card.swift",
        """
        import SwiftUI

        struct Card: View {
          @State private var cardNumber = ""
          var body: some View { TextField("Number", text: $cardNumber) }
        }
        """),
      good: .init(
        "Card.swift",
        """
        import SwiftUI

        struct Card: View {
          @State private var cardNumber = ""
          var body: some View {
            TextField("Number", text: $cardNumber).autocorrectionDisabled()
          }
        }
        """)),
    Rule(
      .backgroundSnapshot, "Screen stays visible when the app is left",
      severity: .medium, level: .required,
      consequence:
        "The system keeps a picture of the last screen on disk and shows it in the app switcher, "
        + "with whatever stood on it.",
      remedy:
        "Cover the window in applicationWillResignActive(_:) or sceneWillResignActive(_:), or "
        + "overlay the content in SwiftUI while scenePhase is not .active.",
      references: .init(
        masvs: ["MSTG-STORAGE-9"], mastg: ["MASTG-TEST-0290"], cwe: [200]),
      bad: .init(
        "AppDelegate.swift",
        """
        import UIKit

        final class AppDelegate: UIResponder, UIApplicationDelegate {
          func applicationWillResignActive(_ application: UIApplication) { Store.shared.save() }
        }
        """),
      good: .init(
        "AppDelegate.swift",
        """
        import UIKit

        final class AppDelegate: UIResponder, UIApplicationDelegate {
          var window: UIWindow?
          let cover = UIView()

          func applicationWillResignActive(_ application: UIApplication) {
            window?.addSubview(cover)
          }
        }
        """)),
    Rule(
      .customKeyboards, "Keyboards of others may see what is typed",
      severity: .low, level: .recommended,
      consequence:
        "A keyboard that a person installed gets every key pressed in fields that are not secure, "
        + "and with full access it may send them anywhere.",
      remedy:
        "Return false for .keyboard from "
        + "application(_:shouldAllowExtensionPointIdentifier:), and leave RequestsOpenAccess "
        + "off in a keyboard of your own.",
      references: .init(
        masvs: ["MSTG-PLATFORM-11"], mastg: ["MASTG-TEST-0389", "MASTG-TEST-0390"], cwe: [200]),
      bad: .init(
        "Info.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
          <key>NSExtension</key>
          <dict>
            <key>NSExtensionAttributes</key>
            <dict><key>RequestsOpenAccess</key><true/></dict>
            <key>NSExtensionPointIdentifier</key>
            <string>com.apple.keyboard-service</string>
          </dict>
        </dict></plist>
        """),
      good: .init(
        "Info.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
          <key>NSExtension</key>
          <dict>
            <key>NSExtensionAttributes</key>
            <dict><key>RequestsOpenAccess</key><false/></dict>
            <key>NSExtensionPointIdentifier</key>
            <string>com.apple.keyboard-service</string>
          </dict>
        </dict></plist>
        """)),
  ]
}
