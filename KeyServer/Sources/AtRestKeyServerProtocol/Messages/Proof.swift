import Foundation

/// The proof that the passphrase of an attempt was right. It resets the count of attempts.
package struct Proof: Message {
  package var account: String
  package var attempt: Data
  package var code: Data

  package init(account: String, attempt: Data, code: Data) {
    self.account = account
    self.attempt = attempt
    self.code = code
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The proof") { reader in
      Proof(
        account: try reader.text(limit: Limits.account),
        attempt: try reader.fixed(Limits.identifier), code: try reader.fixed(32))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    writer.fixed(attempt)
    writer.fixed(code)
    return writer.data
  }
}

/// The registration of a passphrase: the key for proofs, and, if there was a passphrase before, a
/// proof of that one.
package struct Registration: Message {
  package var account: String
  package var proofKey: Data
  /// The proof of the former passphrase, or nil for the first one.
  package var former: Proof?

  package init(account: String, proofKey: Data, former: Proof?) {
    self.account = account
    self.proofKey = proofKey
    self.former = former
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The registration") { reader in
      let account = try reader.text(limit: Limits.account)
      let proofKey = try reader.fixed(32)
      let former =
        try reader.flag()
        ? Proof(
          account: account, attempt: try reader.fixed(Limits.identifier),
          code: try reader.fixed(32)) : nil
      return Registration(account: account, proofKey: proofKey, former: former)
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    writer.fixed(proofKey)
    writer.integer(UInt8(former == nil ? 0 : 1))
    if let former {
      writer.fixed(former.attempt)
      writer.fixed(former.code)
    }
    return writer.data
  }
}
