import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// The audit log of the agent's operations.
///
/// A change is recorded before it is made (`begun`) and after it. What is read is recorded before it is
/// given out.
extension AgentService {
  /// Runs an operation, and records it with its answer.
  ///
  /// - Throws: The error of the operation; ``AtRestError/Code/system`` if it cannot be recorded.
  func recording<Result>(
    _ operation: String, _ subject: String, _ peer: Peer, _ body: () throws -> Result
  ) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      try? record(operation, subject, peer, answer: Self.known(error).code.rawValue)
      throw error
    }
    try record(operation, subject, peer, answer: "done")
    return result
  }

  /// Appends an entry to the log.
  ///
  /// - Parameter isKnown: False for what a process without a grant can cause. By default, what was not
  ///   done.
  func record(
    _ operation: String, _ subject: String, _ peer: Peer, answer: String, isKnown: Bool? = nil
  ) throws {
    writePendingEntries()
    try log.append(
      AgentLogEntry(
        time: Date(), operation: operation, subject: subject, evidence: evidence(of: peer),
        process: peer.process, answer: answer),
      isKnown: isKnown ?? (answer == "done" || answer == Self.begun))
  }

  /// The answer in the entry before a change.
  static let begun = "begun"

  /// Records a change before it is made.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it cannot be recorded. Then it must not be made.
  func recordBefore(_ request: AgentRequest, _ peer: Peer) throws {
    guard request.isChanging, let subject = Self.subject(of: request) else { return }
    try record(request.operation, subject, peer, answer: Self.begun)
  }

  /// Records an answer, and returns the answer that is given.
  func recorded(
    _ request: AgentRequest, _ response: AgentResponse, _ peer: Peer, wasUnlocked: Bool
  ) -> AgentResponse {
    guard let subject = Self.subject(of: request) else { return response }
    var answer = "done"
    if case .refused(let error) = response { answer = error.code.rawValue }
    // Whoever locks a locked store changes nothing, and could fill the log with it.
    let isKnown = request.kind == .lock ? wasUnlocked : nil
    do {
      try record(request.operation, subject, peer, answer: answer, isKnown: isKnown)
    } catch {
      switch request.kind {
      // A lock happens all the same.
      case .lock: break
      case .unlock:
        // Without an entry, nobody would know of it.
        if answer == "done" { try? eraseKeys() }
        return .refused(Self.known(error))
      // A change that was made is never reported as failed. The log has its beginning.
      default: if !request.isChanging { return .refused(Self.known(error)) }
      }
    }
    return response
  }

  /// Returns what a request is about, or nil if it is not recorded, because it shows and changes nothing.
  private static func subject(of request: AgentRequest) -> String? {
    switch request {
    case .status, .grants, .log: nil
    case .unlock, .lock: ""
    case .perform(let operation, _, _): operation.subject
    case .fileKey(let request): request.subject
    case .addGrants(let grants, _):
      grants.map(\.entry).joined(separator: ", ")
    case .removeGrant(let id, _): id
    }
  }

  /// Returns the refusal of a message that is not a request, and records it.
  func refusal(_ error: any Error, to peer: Peer) -> AgentResponse {
    let error = Self.known(error)
    try? record("malformed", "", peer, answer: error.code.rawValue)
    return .refused(error)
  }

  /// Returns an error as a client gets it: a locked store is unlocked in the agent.
  static func forClient(_ error: any Error) -> AtRestError {
    let error = known(error)
    guard error.code == .locked, !error.remedy.contains("atrest unlock") else { return error }
    return AtRestError(
      .locked, error.message, remedy: "Unlock it with atrest unlock, and try again.", cause: error)
  }

  static func known(_ error: any Error) -> AtRestError {
    error as? AtRestError
      ?? AtRestError(.system, "The agent failed.", remedy: "See its messages.", cause: error)
  }
}
