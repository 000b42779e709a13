import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Synchronization

/// The grants in the agent's memory.
///
/// They are read when the store is unlocked, with a key that only an unlocked store has. Until then, no
/// program has a grant, and everything is *locked*.
final class KnownGrants: Sendable {
  private let known = Mutex<Result<[AgentGrant], any Error>?>(nil)

  /// Reads the grants. A failure is that of each request until the next unlock.
  func read(_ body: () throws -> [AgentGrant]) {
    let result = Result { try body() }
    known.withLock { $0 = result }
  }

  /// True if the grants were read, or could not be, since the agent's start.
  var areKnown: Bool { known.withLock { $0 != nil } }

  /// Returns all grants.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the store was not unlocked since the agent's start.
  func all() throws -> [AgentGrant] {
    guard let result = known.withLock({ $0 }) else {
      throw AtRestError(
        .locked, "The store was not unlocked since the agent started.",
        remedy: "Unlock it with atrest unlock, and try again.")
    }
    return try result.get()
  }
}
