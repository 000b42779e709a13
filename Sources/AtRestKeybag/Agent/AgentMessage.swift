@_spi(Tools) import AtRestCrypto
import Foundation

/// The version and the limits of the agent's messages (`docs/Agent.md`).
package enum AgentLimits {
  package static let version: UInt8 = 2
  /// The size of the largest request in bytes, without its length.
  package static let request = 1 << 20
  /// The size of the largest answer in bytes, without its length.
  package static let answer = 64 << 20
  package static let text = 4096
  package static let parts = 64
  /// The year 10889, in milliseconds since 1970. Up to here, dates are exact.
  package static let latestDate: UInt64 = 1 << 48
  package static let malformed = AtRestError.damaged(
    "The message has no meaning in this version of the agent's protocol.",
    remedy: "Use the same version of AtRest in the program and in atrest-agent.")
  /// The refusal of a request that is meant for another store than the agent's.
  package static func otherStore(_ wanted: StoreIdentity, served: StoreIdentity) -> AtRestError {
    AtRestError(
      .otherStore, "The agent serves the store \(served), and the request is for \(wanted).",
      remedy: "Use the agent of that store: atrest agent start.")
  }
  package static let unexpectedAnswer = AtRestError.damaged(
    "The agent's answer does not belong to the request.",
    remedy: "Use the same version of AtRest in the program and in atrest-agent.")
}

extension ByteWriter {
  /// Writes what each request begins with: the version, the operation, and the store that it is meant
  /// for.
  package mutating func head(_ operation: AgentOperation, for store: StoreIdentity) {
    integer(AgentLimits.version)
    integer(operation.rawValue)
    fixed(store.bytes)
  }

  /// Writes a refusal.
  package mutating func error(_ error: AtRestError) {
    for text in [error.code.rawValue, error.message, error.remedy] {
      counted(Data(text.utf8.prefix(AgentLimits.text)))
    }
  }
}

extension ByteReader {
  /// Reads text.
  package mutating func text() throws -> String {
    let bytes = try counted(limit: AgentLimits.text)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw AgentLimits.malformed }
    return text
  }

  /// Reads a refusal.
  package mutating func error() throws -> AtRestError {
    let texts = try (0..<3).map { _ in
      String(decoding: try counted(limit: AgentLimits.text), as: UTF8.self)
    }
    return AtRestError(.init(rawValue: texts[0]), texts[1], remedy: texts[2])
  }

  /// Reads what each request begins with.
  package mutating func head() throws -> (operation: AgentOperation, store: StoreIdentity) {
    let version: UInt8 = try integer()
    guard version == AgentLimits.version else {
      throw AtRestError.unsupported("The request", version: version, known: AgentLimits.version)
    }
    guard let operation = AgentOperation(rawValue: try integer()) else {
      throw AgentLimits.malformed
    }
    return (operation, StoreIdentity(Data(try fixed(StoreIdentity.count))))
  }

  /// Reads the version of an answer, and returns the answer's kind.
  package mutating func answerKind() throws -> AgentAnswer {
    let version: UInt8 = try integer()
    guard version == AgentLimits.version else {
      throw AtRestError.unsupported(
        "The agent's answer", version: version, known: AgentLimits.version)
    }
    guard let kind = AgentAnswer(rawValue: try integer()) else {
      throw AgentLimits.unexpectedAnswer
    }
    return kind
  }
}
