import Foundation

/// A line of the agent's audit log. It contains no secret.
@_spi(Tools) public struct AgentLogEntry: Sendable, Codable, Equatable {
  /// The time of the answer.
  public let time: Date
  /// The operation, such as `get`.
  public let operation: String
  /// The item or the grant that the operation is about, in words.
  public let subject: String
  /// The facts about the process that asked.
  public let evidence: [AgentEvidence]
  /// The number of the process that asked.
  public let process: Int32
  /// `begun` before a change is made, `done`, or the code of the error.
  public let answer: String
  /// The number of the entry. Numbers are consecutive, so a gap shows that entries are missing.
  public var number: UInt64?

  /// Creates an entry.
  public init(
    time: Date, operation: String, subject: String, evidence: [AgentEvidence], process: Int32,
    answer: String
  ) {
    self.time = time
    self.operation = operation
    self.subject = subject
    self.evidence = evidence
    self.process = process
    self.answer = answer
  }
}
