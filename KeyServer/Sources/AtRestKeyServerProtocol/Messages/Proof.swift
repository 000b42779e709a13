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
    /// The key that the passphrase gives, sealed by a client, if the account moved to another suite since it was set.
    package var carried: Data?

    package init(unproved: UInt32, carried: Data? = nil) {
      self.unproved = unproved
      self.carried = carried
    }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to a proof") { reader in
        Answer(
          unproved: try reader.integer(),
          carried: try reader.flag() ? try reader.fixed(HardenedRoot.carriedCount) : nil)
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.integer(unproved)
      writer.integer(UInt8(carried == nil ? 0 : 1))
      if let carried { writer.fixed(carried) }
      return writer.data
    }
  }
}
