import Foundation

/// The registration of a passphrase: the public key that verifies proofs, and, if there was a
/// passphrase before, a proof of that one.
package struct Registration: Message {
  package var account: String
  /// The public key with which the passphrase was evaluated: the account's, or that of its successor.
  package var publicKey: GroupElement
  package var verifyingKey: Data
  /// The key that the passphrase gave so far, sealed under what it gives with the successor; nil if this is the
  /// account's own key.
  package var carried: Data?
  /// The proof of the former passphrase, or nil for the first one.
  package var former: Proof?

  package init(
    account: String, publicKey: GroupElement, verifyingKey: Data, carried: Data? = nil,
    former: Proof?
  ) {
    self.account = account
    self.publicKey = publicKey
    self.verifyingKey = verifyingKey
    self.carried = carried
    self.former = former
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The registration") { reader in
      let account = try reader.text(limit: Limits.account)
      let publicKey = try GroupElement(reading: &reader)
      let verifyingKey = try reader.fixed(HardenedRoot.verifyingKeyCount)
      let carried = try reader.flag() ? try reader.fixed(HardenedRoot.carriedCount) : nil
      let former =
        try reader.flag()
        ? Proof(
          account: account, attempt: try reader.fixed(Limits.identifier),
          signature: try reader.fixed(HardenedRoot.proofCount)) : nil
      return Registration(
        account: account, publicKey: publicKey, verifyingKey: verifyingKey, carried: carried,
        former: former)
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    publicKey.write(to: &writer)
    writer.fixed(verifyingKey)
    writer.integer(UInt8(carried == nil ? 0 : 1))
    if let carried { writer.fixed(carried) }
    writer.integer(UInt8(former == nil ? 0 : 1))
    if let former {
      writer.fixed(former.attempt)
      writer.fixed(former.signature)
    }
    return writer.data
  }
}
