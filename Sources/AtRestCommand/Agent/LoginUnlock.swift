import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// An unlock with the password of a login, which may be another one than the passcode.
///
/// Nobody typed it for the store. Logins must therefore not use up the attempts: with another password, a user's tenth
/// login would wipe a store with a limit of ten.
enum LoginUnlock {
  /// Unlocks the store in the agent, unless it is unlocked. A passcode is tried only if no wrong one was tried since
  /// the last right one, and never as the last attempt of a store with a limit.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the passcode is not tried; the errors of unlocking.
  static func run(_ unlock: UnlockOptions) throws {
    let keybag = try unlock.store.openKeybag()
    defer { keybag.close() }
    let agent = try AgentAccess.connect(unlock.store)
    guard keybag.hasPasscode else { return }
    try inTurn(unlock.store) {
      guard try !agent.document(.status, as: AgentStatus.self).isUnlocked else { return }
      guard try keybag.failedAttempts() == 0 else {
        throw refusal("A wrong passcode was tried since the last right one")
      }
      guard keybag.attemptLimit != 1 else {
        throw refusal("The store is wiped after one wrong passcode")
      }
      try agent.send(.unlock(passcode: AgentSecret.passcode(unlock, agent)))
    }
  }

  /// Calls a closure while no other login does. Several at a time would each see that no attempt failed.
  private static func inTurn(_ store: StoreOptions, _ body: () throws -> Void) throws {
    let folder = SystemPath.with(store.storeFolder.path) {
      open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard folder >= 0 else { throw SystemCall.error("open", store.storeFolder.path) }
    // Closing it gives the lock up.
    defer { close(folder) }
    guard flock(folder, LOCK_EX) == 0 else {
      throw SystemCall.error("flock", store.storeFolder.path)
    }
    try body()
  }

  private static func refusal(_ reason: String) -> AtRestError {
    AtRestError(
      .notPermitted, "\(reason), so the password of this login is not tried.",
      remedy: "Unlock the store with its passcode: atrest unlock.")
  }
}
