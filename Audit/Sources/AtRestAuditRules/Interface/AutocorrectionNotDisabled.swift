import AtRestAuditModel

extension RuleID {
  static let autocorrectionNotDisabled = RuleID("autocorrection-not-disabled")
}

/// Finds fields for sensitive data that the keyboard learns from.
enum AutocorrectionNotDisabled: CodeRule {
  static let rule = Rule(
    .autocorrectionNotDisabled, "Sensitive field that the keyboard learns from",
    severity: .medium, level: .required,
    consequence:
      "The keyboard remembers words that are typed with autocorrection on, suggests them in other "
      + "apps, and stores them in a file outside the app.",
    remedy:
      "Set autocorrectionType and spellCheckingType to .no, or use autocorrectionDisabled() in "
      + "SwiftUI. Secure fields need neither.",
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
      """))
}
