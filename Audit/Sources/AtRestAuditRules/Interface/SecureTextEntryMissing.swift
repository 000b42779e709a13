import AtRestAuditModel

extension RuleID {
  static let secureTextEntryMissing = RuleID("secure-text-entry-missing")
}

/// Finds password fields that show what is typed.
enum SecureTextEntryMissing: CodeRule {
  static let rule = Rule(
    .secureTextEntryMissing, "Password field that shows what is typed",
    severity: .medium, level: .required,
    consequence:
      "Anyone who looks over the shoulder, records the screen or finds the system's picture of it "
      + "can read the password. Third-party keyboards can be used to type it.",
    remedy:
      "Use SecureField in SwiftUI. In UIKit, set isSecureTextEntry to true, or select Secure Text "
      + "Entry in Interface Builder.",
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
      """))
}
