import AtRestAuditModel

extension RuleID {
  package static let containerPayment = RuleID("container-payment")
}

/// Card or account number that lies in the clear.
enum ContainerPayment: CodeRule {
  static let rule = Rule(
    .containerPayment, "Card or account number that lies in the clear",
    severity: .high, level: .required, subject: .container,
    consequence: "Whoever reads the file pays with it, or in the person's name.",
    remedy:
      "Do not store it: keep the token that the payment provider gives for it, in the keychain.",
    references: .container,
    bad: .init("Documents/checkout.json", #"{"cardNumber": "4111 1111 1111 1111"}"#),
    good: .init("Documents/checkout.json", #"{"card": "•••• 1111"}"#))
}
