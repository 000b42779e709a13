import Foundation

/// One attempt at a passphrase: a blinded element for the server to evaluate.
package struct Evaluation: Message {
  package var account: String
  package var element: GroupElement

  package init(account: String, element: GroupElement) {
    self.account = account
    self.element = element
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The evaluation request") { reader in
      Evaluation(
        account: try reader.text(limit: Limits.account),
        element: try GroupElement(reading: &reader))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    element.write(to: &writer)
    return writer.data
  }

  /// The answer: the attempt, which is counted as failed until it is proved.
  package struct Answer: Message {
    package var attempt: Data
    /// The attempts that are left after this one.
    package var remaining: UInt16
    package var publicKey: GroupElement
    /// The evaluated element and the proof, in the suite of the public key.
    package var evaluation: Data

    package init(attempt: Data, remaining: UInt16, publicKey: GroupElement, evaluation: Data) {
      self.attempt = attempt
      self.remaining = remaining
      self.publicKey = publicKey
      self.evaluation = evaluation
    }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to an evaluation") { reader in
        let attempt = try reader.fixed(Limits.identifier)
        let remaining = try reader.integer(UInt16.self)
        let publicKey = try GroupElement(reading: &reader)
        return Answer(
          attempt: attempt, remaining: remaining, publicKey: publicKey,
          evaluation: try reader.fixed(publicKey.suite.evaluationCount))
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.fixed(attempt)
      writer.integer(remaining)
      publicKey.write(to: &writer)
      writer.fixed(evaluation)
      return writer.data
    }
  }
}
