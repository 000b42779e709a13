import AtRestKeyServerProtocol
import Foundation

extension AccountRecord {
  /// The evaluation key in a suite, or nil. Only devices of the account use the key that will follow.
  func key(in suite: EvaluationSuite, isOwn: Bool) -> EvaluationSecret? {
    if evaluationKey?.suite == suite { return evaluationKey }
    if isOwn, case .next(let next) = succession, next.key.suite == suite { return next.key }
    return nil
  }

  /// Returns true if the account moved from a suite to a later one.
  func isMoved(from suite: EvaluationSuite) -> Bool {
    guard case .former = succession, let evaluationKey else { return false }
    return evaluationKey.suite > suite
  }

  // MARK: Proofs

  /// A passphrase that a proof may be for, with the key of the application that is returned then.
  struct ProvablePassphrase {
    let verifyingKey: Data
    let carried: Data?
  }

  /// The passphrases that a proof may be for, at most two. While the account moves, and for attempts from before, the
  /// one passphrase has two forms.
  var passphrases: [ProvablePassphrase] {
    guard let verifyingKey else { return [] }
    let (carried, other): (Data?, ProvablePassphrase?) =
      switch succession {
      case nil: (nil, nil)
      case .next(let next):
        (nil, next.prepared.map { .init(verifyingKey: $0.verifyingKey, carried: $0.carried) })
      case .former(let former):
        (
          former.passphrase?.carried,
          former.passphrase.map { .init(verifyingKey: $0.verifyingKey, carried: nil) }
        )
      }
    return [.init(verifyingKey: verifyingKey, carried: carried)] + (other.map { [$0] } ?? [])
  }

  // MARK: Registrations

  /// Where a registration belongs.
  enum Place {
    /// It replaces the account's passphrase.
    case account
    /// It prepares the move to the next key.
    case next
  }

  /// Returns where a registration belongs, by the key with which its passphrase was evaluated. nil if the account has
  /// not got that key.
  func place(of registration: Registration) throws -> Place? {
    if registration.carried == nil, try evaluationKey?.key.publicKey == registration.publicKey {
      return .account
    }
    if registration.carried != nil, registration.former != nil, verifyingKey != nil,
      case .next(let next) = succession, try next.key.key.publicKey == registration.publicKey
    {
      return .next
    }
    return nil
  }

  /// Registers a passphrase. Another passphrase of the account needs no key that was carried over.
  mutating func register(_ registration: Registration, in place: Place) {
    switch succession {
    case .next(var next):
      next.prepared = registration.carried.map {
        .init(verifyingKey: registration.verifyingKey, carried: $0)
      }
      succession = .next(next)
    case .former(var former):
      former.passphrase = nil
      succession = .former(former)
    case nil: break
    }
    if place == .account { verifyingKey = registration.verifyingKey }
  }

  /// Replaces the older key by the one that follows. The older key is destroyed.
  mutating func move(to next: Succession.Next, _ prepared: Succession.Prepared) {
    let passphrase = verifyingKey.map {
      Succession.Passphrase(verifyingKey: $0, carried: prepared.carried)
    }
    evaluationKey = next.key
    verifyingKey = prepared.verifyingKey
    succession = .former(.init(signature: next.signature, passphrase: passphrase))
  }
}
