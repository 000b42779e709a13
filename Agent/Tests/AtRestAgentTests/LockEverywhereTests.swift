import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A lock of the agent reaches the processes that unlocked the store themselves.
struct LockEverywhereTests {
  @Test func directUsersLockWithTheAgent() throws {
    let run = try AgentRun()
    try run.unlock()
    let keybag = try run.location.openKeybag()
    let keychain = try Keychain.open(
      keybag, identity: ApplicationIdentity("mail"), usesAgent: false)
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    #expect(String(copying: try keychain.secret(for: AgentRun.mail)) == "mail secret")
    try run.connect().send(.lock)
    eventually { keybag.lockState != .unlocked }
    do {
      _ = try keychain.secret(for: AgentRun.mail)
      Issue.record("The store is still unlocked in this process.")
    } catch AtRestError.Code.locked {}
  }
}
