import AtRestAuditModel

extension RuleID {
  static let autocorrectionNotDisabled = RuleID("autocorrection-not-disabled")
}

/// Field for sensitive data from which the keyboard learns.
enum AutocorrectionNotDisabled: CodeRule {
  static let rule = Rule(
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
      """))
}
