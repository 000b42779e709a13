import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// How an account with an older suite gets another key.
///
/// `next` is added when a device asks for the successor. It becomes the account's key when a client has opened the key
/// of its application under it; only then is the older key destroyed.
enum Succession {
  /// The account still has the older key.
  case next(Next)
  /// The account had an older key.
  case former(Former)

  /// The key that will follow.
  struct Next {
    let key: EvaluationSecret
    /// The signature of the present key.
    let signature: Data
    /// The passphrase that a client registered for it, or nil.
    var prepared: Prepared?
  }

  /// A passphrase that was evaluated with the next key.
  struct Prepared {
    let verifyingKey: Data
    /// The application's key, sealed by the client.
    let carried: Data
  }

  /// The remains of the older key.
  struct Former {
    /// Its signature of the present key, for devices that have not heard of the move.
    let signature: Data
    /// The passphrase that was set before the move, or nil since it was changed.
    var passphrase: Passphrase?
  }

  /// A passphrase that was set before the move.
  struct Passphrase {
    /// The key that verifies proofs of attempts from before the move.
    let verifyingKey: Data
    /// The application's key, sealed by the client.
    let carried: Data
  }

  // MARK: Layout

  init(reading reader: inout MessageReader) throws {
    switch try reader.integer(UInt8.self) {
    case 1:
      let key = try EvaluationSecret(reader.suite(), reading: &reader)
      let signature = try reader.fixed(Successor.signatureCount)
      let prepared =
        try reader.flag()
        ? Prepared(
          verifyingKey: try reader.fixed(HardenedRoot.verifyingKeyCount),
          carried: try reader.fixed(HardenedRoot.carriedCount)) : nil
      self = .next(Next(key: key, signature: signature, prepared: prepared))
    case 2:
      let signature = try reader.fixed(Successor.signatureCount)
      let passphrase =
        try reader.flag()
        ? Passphrase(
          verifyingKey: try reader.fixed(HardenedRoot.verifyingKeyCount),
          carried: try reader.fixed(HardenedRoot.carriedCount)) : nil
      self = .former(Former(signature: signature, passphrase: passphrase))
    case let kind:
      throw AtRestError(damaged: "An account has a succession of the unknown kind \(kind).")
    }
  }

  func write(to writer: inout MessageWriter) {
    let passphrase: (verifyingKey: Data, carried: Data)?
    switch self {
    case .next(let next):
      writer.integer(UInt8(1))
      next.key.write(to: &writer)
      writer.fixed(next.signature)
      passphrase = next.prepared.map { ($0.verifyingKey, $0.carried) }
    case .former(let former):
      writer.integer(UInt8(2))
      writer.fixed(former.signature)
      passphrase = former.passphrase.map { ($0.verifyingKey, $0.carried) }
    }
    writer.integer(UInt8(passphrase == nil ? 0 : 1))
    if let passphrase {
      writer.fixed(passphrase.verifyingKey)
      writer.fixed(passphrase.carried)
    }
  }
}
