import AtRestAuditReports
import AtRestContainers

extension Discovery {
  /// The rule that the discovery violates.
  var rule: RuleID {
    switch subject {
    case .canary: .containerCanary
    case .secret(let detection):
      switch detection.kind {
      case .password, .secret, .token, .webToken: .containerCredential
      case .apiKey, .privateKey: .containerKey
      case .cardNumber, .bankAccount: .containerPayment
      case .identityNumber, .email, .phone, .address, .dateOfBirth, .location, .health:
        .containerPersonalData
      }
    }
  }

  /// The kind of data, without the data itself.
  var what: String {
    switch subject {
    case .canary(let canary, _): "the canary “\(canary.name)”"
    case .secret(let detection): detection.kind.noun
    }
  }

  /// A sentence that names the kind of data, its encoding, and the name under which it is stored.
  var message: String {
    var text = what.prefix(1).uppercased() + what.dropFirst()
    switch subject {
    case .canary(_, let encodings):
      text += state == .deleted ? " can still be read" : " is stored"
      if isDigest {
        text +=
          " as a digest, from which the text can be guessed "
          + "(\(encodings.joined(separator: " in ")))"
      } else if encodings.isEmpty {
        text += " as typed"
      } else {
        text += " in \(encodings.joined(separator: " in "))"
      }
    case .secret(let detection):
      text += state == .deleted ? " can still be read" : " is stored in the clear"
      if let note = detection.note { text += " (\(note))" }
    }
    if let name, !name.isEmpty { text += ", under “\(Display.cut(name, 200))”" }
    if state == .deleted { text += ", in the space of a deleted row" }
    return text + "."
  }
}

extension SecretKind {
  fileprivate var noun: String {
    switch self {
    case .password: "a password"
    case .secret: "a secret"
    case .token: "a token or session"
    case .apiKey: "a key of a service"
    case .webToken: "a signed token (JWT)"
    case .privateKey: "a private key"
    case .cardNumber: "a card number"
    case .bankAccount: "an account number"
    case .identityNumber: "an identity number"
    case .email: "an e-mail address"
    case .phone: "a telephone number"
    case .address: "an address"
    case .dateOfBirth: "a date of birth"
    case .location: "a position"
    case .health: "something about health"
    }
  }
}
