import AtRestAuditModel

extension RuleID {
  static let secureTextEntryMissing = RuleID("secure-text-entry-missing")
}

/// Password field that shows what is typed.
enum SecureTextEntryMissing: CodeRule {
  static let rule = Rule(
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
      """))
}
