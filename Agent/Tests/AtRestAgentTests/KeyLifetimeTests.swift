import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Keys of `ssh-add` end by themselves, and their use counts as a use of the store.
struct KeyLifetimeTests {
  /// No request comes, and the key is erased all the same (`regress/agent-timeout.sh` of OpenSSH).
  @Test func anExpiredKeyIsErased() throws {
    let run = try AgentRun()
    try run.unlock()
    _ = try SSHConnection.addKey(to: run.service, end: .now + .milliseconds(100))
    _ = try SSHConnection.addKey(to: run.service)
    #expect(run.service.memoryKeys.count == 2)
    #expect(eventually { run.service.memoryKeys.count == 1 })
  }

  @Test func aUseKeepsTheStoreOpen() throws {
    let run = try AgentRun(idleSeconds: 1000)
    try run.unlock()
    try run.grant("ssh")
    let key = try SSHConnection.addKey(to: run.service)
    let before = ContinuousClock.now
    #expect(SSHConnection(run.service).signs(key))
    run.service.lockIfIdle(now: before + .seconds(1000))
    #expect(run.service.isUnlocked)
    // Control: without a use, it locks.
    run.service.lockIfIdle(now: .now + .seconds(1000))
    #expect(!run.service.isUnlocked)
  }
}
