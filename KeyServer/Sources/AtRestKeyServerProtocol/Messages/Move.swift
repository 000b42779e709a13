import Foundation

/// The last step of a move to another suite: the client has opened the key that it carries over, and the server may
/// destroy the former evaluation key.
package struct Move: Message {
  package var account: String
  /// The public key of the successor.
  package var publicKey: GroupElement
  /// The signature of ``HardenedRoot/move(to:carried:realm:account:)``.
  package var signature: Data

  package init(account: String, publicKey: GroupElement, signature: Data) {
    self.account = account
    self.publicKey = publicKey
    self.signature = signature
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The move") { reader in
      Move(
        account: try reader.text(limit: Limits.account),
        publicKey: try GroupElement(reading: &reader),
        signature: try reader.fixed(HardenedRoot.proofCount))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    publicKey.write(to: &writer)
    writer.fixed(signature)
    return writer.data
  }
}

extension HardenedRoot {
  /// Returns the message that ends a move. Its sender has opened the key that it carries over.
  package func move(
    to publicKey: GroupElement, carried: Data, realm: Data, account: String
  ) throws -> Move {
    let message = Move.message(publicKey, carried, realm: realm, account: account)
    return Move(account: account, publicKey: publicKey, signature: try signature(for: message))
  }
}

extension Move {
  /// Returns true if this is the right message for a passphrase and the key that is carried over.
  package func isValid(verifyingKey: Data, carried: Data, realm: Data) -> Bool {
    HardenedRoot.isValid(
      signature, for: Self.message(publicKey, carried, realm: realm, account: account),
      verifyingKey: verifyingKey)
  }

  fileprivate static func message(
    _ publicKey: GroupElement, _ carried: Data, realm: Data, account: String
  ) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: "atrest.keyserver.move.v1")
    writer.fixed(realm)
    writer.counted(utf8: account)
    publicKey.write(to: &writer)
    writer.fixed(carried)
    return writer.data
  }
}
