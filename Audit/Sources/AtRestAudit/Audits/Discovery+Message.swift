import AtRestAuditReports
import AtRestContainers

extension Discovery {
  /// The rule that forbids it.
  var rule: RuleID {
    switch subject {
    case .canary: .containerCanary
    case .secret(let detection):
      switch detection.kind {
      case .password, .token, .webToken: .containerCredential
      case .apiKey, .privateKey: .containerKey
      case .cardNumber, .bankAccount: .containerPayment
      case .identityNumber, .email, .phone, .address, .dateOfBirth, .location, .health:
        .containerPersonalData
      }
    }
  }

  /// What it is, without the thing itself.
  var what: String {
    switch subject {
    case .canary(let canary, _): "the canary “\(canary.name)”"
    case .secret(let detection): detection.kind.noun
    }
  }

  /// In one sentence: what lies there, how it is written, under what name.
  var message: String {
    var text = what.prefix(1).uppercased() + what.dropFirst()
    switch subject {
    case .canary(_, let encodings):
      text += state == .deleted ? " can still be read" : " lies there"
      if isDigest {
        text += " as a digest, which guessing opens (\(encodings.joined(separator: " in ")))"
      } else if encodings.isEmpty {
        text += " as it was typed in"
      } else {
        text += " in \(encodings.joined(separator: " in "))"
      }
    case .secret(let detection):
      text += state == .deleted ? " can still be read" : " lies in the clear"
      if let note = detection.note { text += " (\(note))" }
    }
    if let name, !name.isEmpty { text += ", under “\(Display.cut(name, 200))”" }
    if state == .deleted { text += ", in space of a row that was deleted" }
    return text + "."
  }
}

extension Detection.Kind {
  fileprivate var noun: String {
    switch self {
    case .password: "a password"
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
