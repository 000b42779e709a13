import Foundation

/// One attempt at a passphrase: a blinded element for the server to evaluate.
package struct Evaluation: Message {
  package var account: String
  package var element: Data

  package init(account: String, element: Data) {
    self.account = account
    self.element = element
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The evaluation request") { reader in
      Evaluation(
        account: try reader.text(limit: Limits.account),
        element: try reader.fixed(EvaluationKey.elementCount))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: account)
    writer.fixed(element)
    return writer.data
  }

  /// The answer: the attempt, which is counted as failed until it is proved.
  package struct Answer: Message {
    package var attempt: Data
    /// The attempts that are left after this one.
    package var remaining: UInt16
    package var publicKey: Data
    package var evaluation: Data

    package init(attempt: Data, remaining: UInt16, publicKey: Data, evaluation: Data) {
      self.attempt = attempt
      self.remaining = remaining
      self.publicKey = publicKey
      self.evaluation = evaluation
    }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to an evaluation") { reader in
        Answer(
          attempt: try reader.fixed(Limits.identifier), remaining: try reader.integer(),
          publicKey: try reader.fixed(EvaluationKey.elementCount),
          evaluation: try reader.fixed(EvaluationKey.evaluationCount))
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.fixed(attempt)
      writer.integer(remaining)
      writer.fixed(publicKey)
      writer.fixed(evaluation)
      return writer.data
    }
  }
}
