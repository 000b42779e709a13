import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A key of `ssh-add` does not outlive a lock, and does not sign while the store is locked.
struct MemoryKeyLockTests {
  @Test func aLockedStoreSignsNothing() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("ssh", mayWrite: true)
    let connection = SSHConnection(run.service)
    let before = try SSHConnection.addKey(to: run.service)
    // Control: it signs while the store is unlocked.
    #expect(connection.signs(before))
    try run.connect().send(.lock)
    let after = try SSHConnection.addKey(to: run.service)
    #expect(!connection.signs(before) && !connection.signs(after))
  }

  /// A store without a passcode stays open, and the key goes.
  @Test func aStoreWithoutAPasscodeForgetsThemToo() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.location.openKeybag().removePasscode(SecretBytes(utf8: AgentRun.passcode))
    #expect(eventually { !run.service.keybag.hasPasscode })
    try SSHConnection.addKey(to: run.service)
    #expect(run.service.memoryKeys.count == 1)
    run.service.lock(because: "the screen was locked")
    #expect(run.service.memoryKeys.count == 0)
  }

  /// Each look at the time of the last use erases the keys of such a store only if it is long past.
  @Test func anIdleStoreWithoutAPasscodeTakesKeys() throws {
    let run = try AgentRun(idleSeconds: 600)
    try run.unlock()
    try run.location.openKeybag().removePasscode(SecretBytes(utf8: AgentRun.passcode))
    #expect(eventually { !run.service.keybag.hasPasscode })
    try run.grant("ssh", mayWrite: true)
    let connection = SSHConnection(run.service)
    run.service.lastUse.withLock { $0 = .now - .seconds(700) }
    let locks = run.service.locks
    run.service.lockIfIdle()
    // There was nothing to erase, so nothing that is being read is withheld.
    #expect(run.service.locks == locks)
    let secret = SecretBytes.random(count: 32)
    let key = try PrivateKey(rawRepresentation: secret, algorithm: .ed25519)
    let number = try #require(SSHPublicKey(key.publicKey)).blob.suffix(32)
    var writer = SSHWriter()
    writer.byte(17)
    for part in [Data("ssh-ed25519".utf8), number, Data(copying: secret) + number, Data("a".utf8)] {
      writer.string(part)
    }
    #expect(connection.answer(writer.data) == [6])
    run.service.lockIfIdle()
    #expect(run.service.memoryKeys.count == 1)
    run.service.lockIfIdle(now: .now + .seconds(700))
    #expect(run.service.memoryKeys.count == 0)
  }

  /// The store is locked between the look at its state and the moment at which the key is in memory.
  @Test func aKeyThatIsAddedMeanwhileIsErased() throws {
    let run = try AgentRun()
    try run.unlock()
    let service = run.service
    let locked = DispatchSemaphore(value: 0)
    try SSHConnection.addKey(to: service) {
      try service.checkUnlocked()
      let locks = service.locks
      Thread.detachNewThread {
        try? service.eraseKeys()
        locked.signal()
      }
      #expect(eventually { service.locks > locks })
    }
    locked.wait()
    #expect(service.memoryKeys.count == 0)
    // What began before a lock adds no key after it.
    try run.unlock()
    let locks = service.locks
    try service.eraseKeys()
    try run.unlock()
    #expect(throws: AtRestError.self) {
      try SSHConnection.addKey(to: service) { try service.checkNoLock(since: locks) }
    }
    #expect(service.memoryKeys.count == 0)
  }
}
