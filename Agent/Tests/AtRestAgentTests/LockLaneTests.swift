import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// A lock always locks: whatever else keeps the agent busy, `lock` is answered.
struct LockLaneTests {
  /// No program can be identified, as with programs that take very long to hash.
  @Test func aLockDoesNotWaitForIdentification() throws {
    let run = try AgentRun()
    try run.unlock()
    let (hold, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = AgentServer(run.service) { seen, _ in
      begun.signal()
      hold.wait()
      return try? Peer(seen, digests: ProgramDigests())
    }
    defer { server.stop() }
    let path = run.folder.appendingPathComponent("run/other").path
    try server.listen(.path(path))
    let others = try (0..<40).map { _ in
      let client = try RawClient(path)
      client.write(
        RawClient.frame(
          Array(Data(copying: try AgentRequest.grants.encoded(for: run.service.identity)))))
      return client
    }
    begun.wait()
    #expect(run.service.isUnlocked)
    try AgentConnection(to: path).send(.lock)
    #expect(!run.service.isUnlocked)
    for _ in 0..<80 { hold.signal() }
    // Controls: the others were waiting, and are answered now.
    for other in others { #expect(other.answer() != nil) }
  }

  /// All threads that carry out requests wait for the user, and the thread for passcodes is busy too.
  @Test func aLockDoesNotWaitForRequests() throws {
    let run = try AgentRun(asks: true, kdf: .slow)
    try run.unlock()
    try run.asker.set("wait")
    let get = try Data(
      copying: AgentRequest.get(AgentRun.mail, groups: []).encoded(
        for: run.service.identity))
    let clients = try (0..<30).map { _ in try RawClient(run.socket) }
    for client in clients { client.write(RawClient.frame(Array(get))) }
    eventually { run.service.questioner.waiting == 4 }
    let slow = try RawClient(run.socket)
    let unlock = AgentRequest.unlock(passcode: AgentRun.secret("wrong"))
    slow.write(RawClient.frame(Array(Data(copying: try unlock.encoded(for: run.service.identity)))))
    slow.waitUntilRead()
    try run.connect().send(.lock)
    #expect(!run.service.isUnlocked)
    run.asker.clear("wait")
    // What waited is not served after the lock.
    for client in clients {
      let answer = try #require(client.answer())
      #expect(!String(decoding: answer, as: UTF8.self).contains("mail secret"))
    }
  }

  /// Other programs hold all connections, and say nothing.
  @Test(.enabled(if: AgentRun.isInstalled("python3"), "needs python3"))
  func aLockDoesNotWaitForConnections() throws {
    let run = try AgentRun()
    try run.unlock()
    let script = """
      import socket, sys, time
      held = []
      for _ in range(200):
          s = socket.socket(socket.AF_UNIX)
          try: s.connect(sys.argv[1])
          except OSError: continue
          held.append(s)
      open(sys.argv[2], "w").write("x")
      time.sleep(600)
      """
    let marks = (0..<6).map { run.folder.appendingPathComponent("mark\($0)").path }
    let processes = try marks.map { mark in
      try run.start("/usr/bin/python3 -c '\(script)' '\(run.socket)' '\(mark)'")
    }
    defer { for process in processes { kill(process, SIGKILL) } }
    #expect(eventually { marks.allSatisfy { FileManager.default.fileExists(atPath: $0) } })
    try run.connect().send(.lock)
    #expect(!run.service.isUnlocked)
    try run.unlock()
    #expect(run.service.isUnlocked)
  }

  @Test func theLogIsReadInParts() throws {
    let run = try AgentRun()
    try run.grant("mail")
    try run.unlock()
    for _ in 0..<1200 { _ = try run.text(AgentRun.mail) }
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: .max))
    #expect(entries.count == 1000)
    let numbers = entries.compactMap(\.number)
    #expect(numbers.count == 1000 && numbers.last! - numbers.first! == 999)
  }
}

extension PasswordKDF {
  /// A KDF that takes seconds.
  static let slow = PasswordKDF.pbkdf2SHA256(rounds: 3_000_000)
}
