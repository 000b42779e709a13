import Foundation

/// The proof that the passphrase of an attempt was right: a signature with a key that only the
/// passphrase and the evaluation give. It resets the attempts of the device.
package struct Proof: Message {
  package var account: String
  package var attempt: Data
  package var signature: Data

  package init(account: String, attempt: Data, signature: Data) {
    self.account = account
    self.attempt = attempt
    self.signature = signature
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The proof") { reader in
      Proof(
        account: try reader.text(limit: Limits.account),
        attempt: try reader.fixed(Limits.identifier),
        signature: try reader.fixed(HardenedRoot.proofCount))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    writer.fixed(attempt)
    writer.fixed(signature)
    return writer.data
  }
}

extension Proof {
  /// The answer to a proof that is right.
  package struct Answer: Message, Equatable {
    /// The attempts at the account that nobody proved since the device's last proof.
    package var unproved: UInt32

    package init(unproved: UInt32) { self.unproved = unproved }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to a proof") {
        Answer(unproved: try $0.integer())
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.integer(unproved)
      return writer.data
    }
  }
}

/// The registration of a passphrase: the public key that verifies proofs, and, if there was a
/// passphrase before, a proof of that one.
package struct Registration: Message {
  package var account: String
  package var verifyingKey: Data
  /// The proof of the former passphrase, or nil for the first one.
  package var former: Proof?

  package init(account: String, verifyingKey: Data, former: Proof?) {
    self.account = account
    self.verifyingKey = verifyingKey
    self.former = former
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The registration") { reader in
      let account = try reader.text(limit: Limits.account)
      let verifyingKey = try reader.fixed(HardenedRoot.verifyingKeyCount)
      let former =
        try reader.flag()
        ? Proof(
          account: account, attempt: try reader.fixed(Limits.identifier),
          signature: try reader.fixed(HardenedRoot.proofCount)) : nil
      return Registration(account: account, verifyingKey: verifyingKey, former: former)
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    writer.fixed(verifyingKey)
    writer.integer(UInt8(former == nil ? 0 : 1))
    if let former {
      writer.fixed(former.attempt)
      writer.fixed(former.signature)
    }
    return writer.data
  }
}
