import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The identity that a device received when it enrolled. Nothing in it is secret, but it must not be
/// changed by others, because it pins the account's public key. Keep it beside the device's key.
public struct KeyServerIdentity: Hashable, Sendable {
  /// The identity of the key server and its database, 16 bytes.
  public let realm: Data
  /// The identity of the device, 16 bytes.
  public let device: Data
  /// The name of the account.
  public let account: String
  /// The account's public key, with which the server proves each evaluation, and its suite.
  public internal(set) var publicKey: GroupElement

  init(_ answer: Enrolment.Answer) {
    realm = answer.realm
    device = answer.device
    account = answer.account
    publicKey = answer.publicKey
  }

  /// The identity as bytes.
  public var encoded: Data {
    Enrolment.Answer(realm: realm, device: device, account: account, publicKey: publicKey).encoded
  }

  /// Decodes the bytes of ``encoded``.
  ///
  /// - Throws: `AtRestError.Code.damaged`.
  public init(decoding bytes: Data) throws {
    self = try MessageReader.read(bytes, name: "The identity of a device") { reader in
      KeyServerIdentity(
        .init(
          realm: try reader.fixed(Limits.identifier), device: try reader.fixed(Limits.identifier),
          account: try reader.text(limit: Limits.account),
          // Identities from before there were suites end with a key of P384-SHA384.
          publicKey: reader.remaining == EvaluationSuite.p384.elementCount
            ? GroupElement(.p384, try reader.fixed(reader.remaining))
            : try GroupElement(reading: &reader)))
    }
  }
}
