@_spi(Tools) import AtRestCrypto
import Foundation
import Synchronization

/// The name that the agent wants on the session's bus, and when it asks for it again.
final class BusName: Sendable {
  /// The flags of a request for the name: wait in no queue, and take it over or not. Nobody may take it from the agent.
  static let free: UInt32 = 4
  static let replacing: UInt32 = 2 | 4

  private static let longestDelay = 60

  private struct State {
    var next: ContinuousClock.Instant?
    var delay = 1
    /// The last text for the user.
    var told = ""
  }

  let text: String
  /// True to take the name from another keyring.
  let replaces: Bool
  private let note: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter note: Gets a text for the user.
  init(_ text: String, replaces: Bool, note: @escaping @Sendable (String) -> Void) {
    (self.text, self.replaces, self.note) = (text, replaces, note)
  }

  /// Returns true for an answer to a request that says that the agent has the name.
  static func isOwner(_ answer: UInt32?) -> Bool { answer == 1 || answer == 4 }

  /// The time of the next request, or nil if the agent has the name, or waits for an answer.
  var nextAttempt: ContinuousClock.Instant? { state.withLock { $0.next } }
  var isDue: Bool { nextAttempt.map { $0 <= .now } ?? false }

  /// Asks for the name at once, because the agent has joined the bus.
  func join() { state.withLock { ($0.next, $0.delay) = (.now, 1) } }
  func asked() { state.withLock { $0.next = nil } }

  func isOwn() {
    state.withLock { $0.delay = 1 }
    tell("\(text) on the session's bus is this agent.")
  }

  func isTaken() {
    again()
    tell(
      "Another keyring is \(text) on the session's bus"
        + (replaces
          ? ", and does not let others replace it. End it."
          : ". Use --replace to take its place, or none with --bus none."))
  }

  func isRefused(_ text: String) {
    again()
    tell("The session's bus refuses the name \(self.text): \(text.printable)")
  }

  func isLost() {
    again()
    tell("This agent has lost the name \(text) on the session's bus.")
  }

  /// Asks again after a delay, which grows.
  private func again() {
    state.withLock { state in
      state.next = .now + .seconds(state.delay)
      state.delay = min(2 * state.delay, Self.longestDelay)
    }
  }

  /// Tells the user, once.
  func tell(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.told = text }
      return state.told != text
    }
    if isNew { note(text) }
  }
}
