import AtRestAuditModel

extension RuleID {
  package static let containerPayment = RuleID("container-payment")
}

/// Finds card and account numbers that are stored in the clear.
enum ContainerPayment: CodeRule {
  static let rule = Rule(
    .containerPayment, "Card or account number stored in the clear",
    severity: .high, level: .required, subject: .container,
    consequence: "Anyone who reads the file can pay with the number, or in the person's name.",
    remedy:
      "Do not store the number. Instead, keep the payment provider's token for it in the keychain.",
    references: .container,
    bad: .init("Documents/checkout.json", #"{"cardNumber": "4111 1111 1111 1111"}"#),
    good: .init("Documents/checkout.json", #"{"card": "•••• 1111"}"#))
}
