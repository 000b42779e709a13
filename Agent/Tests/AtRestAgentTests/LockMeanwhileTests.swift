import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// What began before a lock is not finished after it.
struct LockMeanwhileTests {
  private func entries(_ run: AgentRun) throws -> [String] {
    (try run.connect().document(.log(count: 100)) as [AgentLogEntry]).map {
      "\($0.operation) \($0.answer)"
    }
  }

  /// The user confirms the use of a key after the store was locked.
  @Test(arguments: ["lock", "announced", "remove", "grant", "nothing"])
  func aConfirmationIsNotFinished(_ change: String) throws {
    let run = try AgentRun()
    try run.unlock()
    let grant = try run.grant("ssh", mayWrite: true)
    let key = try SSHConnection.addKey(to: run.service, confirmed: true)
    for name in ["wait", "yes"] {
      try Data().write(to: run.folder.appendingPathComponent("confirm.\(name)"))
    }
    let client = try RawClient(run.sshSocket)
    var writer = SSHWriter()
    writer.byte(13)
    writer.string(key)
    writer.string("data")
    writer.integer(0)
    client.write(RawClient.frame(Array(writer.data)))
    let asked = run.folder.appendingPathComponent("confirm.asked").path
    #expect(eventually { FileManager.default.fileExists(atPath: asked) })
    switch change {
    case "lock": try run.connect().send(.lock)
    case "announced":
      let claim = try AgentClaim(store: run.location.store, socket: run.socket)
      run.service.confirmLocks()
      #expect(AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
      withExtendedLifetime(claim) {}
    case "remove": _ = run.service.memoryKeys.remove(key)
    case "grant":
      try run.connect().send(
        .removeGrant(grant.id, passcode: AgentRun.secret(AgentRun.passcode)))
    default: break
    }
    unlink(run.folder.appendingPathComponent("confirm.wait").path)
    let expected = [
      "lock": "locked", "announced": "locked", "remove": "not-found",
      "grant": "not-permitted", "nothing": "done",
    ]
    #expect(client.answer()?.first == (change == "nothing" ? 14 : 5))
    let code = try #require(expected[change])
    #expect(try entries(run).contains("ssh-sign \(code)"))
  }

  /// A signal to lock comes while the passcode is tried.
  @Test(arguments: ["signal", "request", "announced", "nothing"])
  func anUnlockThatBeganBeforeFails(_ event: String) throws {
    let run = try AgentRun(kdf: .slow)
    let device = run.location.device
    func state() -> [String: Date?] {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: device.path)) ?? []
      return names.reduce(into: [:]) { result, name in
        let path = device.appendingPathComponent(name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        result[name] = attributes?[.modificationDate] as? Date
      }
    }
    let before = state()
    let code = Mutex<AtRestError.Code?>(nil)
    let ended = DispatchSemaphore(value: 0)
    let claim = try AgentClaim(store: run.location.store, socket: run.socket)
    run.service.confirmLocks()
    let connection = try run.connect()
    Thread.detachNewThread {
      do { try connection.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode))) } catch {
        code.withLock { $0 = (error as? AtRestError)?.code }
      }
      ended.signal()
    }
    // The attempt is counted before the KDF runs for seconds.
    #expect(eventually { state() != before })
    switch event {
    case "signal": run.service.lock(because: "suspend")
    case "request": try run.connect().send(.lock)
    case "announced":
      #expect(AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
      // The lock is confirmed: the store is not unlocked for a moment either.
      while ended.wait(timeout: .now()) == .timedOut { #expect(!run.service.isUnlocked) }
      ended.signal()
    default: break
    }
    ended.wait()
    withExtendedLifetime(claim) {}
    #expect(code.withLock { $0 } == (event == "nothing" ? nil : .locked))
    #expect(run.service.isUnlocked == (event == "nothing"))
  }

  /// A signal reaches a process that unlocked the store itself, although the agent is locked.
  @Test func aSignalReachesOthers() throws {
    let run = try AgentRun()
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    #expect(!run.service.isUnlocked && keybag.lockState == .unlocked)
    run.service.lock(because: "suspend")
    #expect(eventually { keybag.lockState != .unlocked })
  }

  /// A client takes the parts of a large answer slowly.
  @Test(arguments: [true, false]) func aLargeAnswerIsNotFinished(_ locks: Bool) throws {
    let run = try AgentRun()
    let large = PrimaryKey.genericPassword(service: "large", account: "eva", group: "mail")
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try Keychain.open(keybag, identity: .owner()).add(
      large, secret: SecretBytes(Data(repeating: 7, count: 4 << 20)))
    try run.unlock()
    try run.grant("mail")
    let client = try RawClient(run.socket)
    let get = try AgentRequest.get(large, groups: []).encoded(for: run.service.identity)
    client.write(RawClient.frame(Array(Data(copying: get))))
    client.waitForAnswer()
    if locks { try run.connect().send(.lock) }
    #expect((client.answer() == nil) == locks)
    #expect(!run.service.isUnlocked == locks)
  }

  /// The user answers a question about an item after the store was locked.
  @Test(arguments: [true, false]) func aQuestionIsNotFinished(_ locks: Bool) throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("wait")
    try run.asker.set("answer", "session")
    let client = try RawClient(run.socket)
    let get = try AgentRequest.get(AgentRun.mail, groups: []).encoded(
      for: run.service.identity)
    client.write(RawClient.frame(Array(Data(copying: get))))
    #expect(eventually { run.asker.questions.count == 1 })
    if locks {
      try run.connect().send(.lock)
      // The store is open again before the answer.
      try run.unlock()
    }
    run.asker.clear("wait")
    let answer = String(decoding: try #require(client.answer()), as: UTF8.self)
    #expect(answer.contains("mail secret") == !locks)
    #expect(answer.contains("locked") == locks)
  }
}
