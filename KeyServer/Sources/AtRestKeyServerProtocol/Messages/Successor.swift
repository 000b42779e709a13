import AtRestCrypto
import Crypto
import Foundation

/// The public key that follows the one of an account with an older suite, signed with the older key.
///
/// A client that pinned the older key accepts no other successor, so neither somebody in the network nor a server that
/// does not have the older key can exchange it.
package struct Successor: Message, Equatable {
  /// The size of a signature in bytes.
  package static let signatureCount = 96

  package var publicKey: GroupElement
  /// ECDSA over P-384 and SHA-384, r ‖ s.
  package var signature: Data

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The successor of a key") { reader in
      Successor(
        publicKey: try GroupElement(reading: &reader),
        signature: try reader.fixed(Self.signatureCount))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    publicKey.write(to: &writer)
    writer.fixed(signature)
    return writer.data
  }

  package init(publicKey: GroupElement, signature: Data) {
    self.publicKey = publicKey
    self.signature = signature
  }

  /// Signs a successor with the private key of P384-SHA384 that it follows. It is the only signature that the key ever
  /// makes.
  package init(
    _ publicKey: GroupElement, of former: borrowing SecretBytes, realm: Data, account: String
  ) throws {
    let key = try former.withUnsafeBytes {
      try P384.Signing.PrivateKey(rawRepresentation: $0)
    }
    let message = Self.message(publicKey, realm, account)
    self.init(
      publicKey: publicKey, signature: try key.signature(for: message).rawRepresentation)
  }

  /// Returns true if the owner of a pinned key made this successor. The suite must be a later one.
  package func follows(_ former: GroupElement, realm: Data, account: String) -> Bool {
    guard former.suite == .p384, publicKey.suite > former.suite,
      let key = try? P384.Signing.PublicKey(compressedRepresentation: former.bytes),
      let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: Self.message(publicKey, realm, account))
  }

  private static func message(_ publicKey: GroupElement, _ realm: Data, _ account: String) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: "atrest.keyserver.successor.v1")
    writer.fixed(realm)
    writer.counted(utf8: account)
    publicKey.write(to: &writer)
    return writer.data
  }
}
