import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// The audit log says what happened: changes before and after they are made, whatever else fills it.
struct LogTruthTests {
  private func entries(_ run: AgentRun) throws -> [AgentLogEntry] {
    try run.connect().document(.log(count: 1000))
  }

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func entry(_ number: Int, _ answer: String = "done") -> AgentLogEntry {
    AgentLogEntry(
      time: Date(), operation: "get", subject: "item \(number)",
      evidence: [.init(.user, answer)], process: 1, answer: answer)
  }

  @Test func aChangeIsRecordedBeforeAndAfter() throws {
    let run = try AgentRun()
    try run.grant("mail", mayWrite: true)
    try run.unlock()
    try run.connect().send(
      .set(AgentRun.mail, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: []))
    _ = try run.text(AgentRun.mail)
    let texts = try entries(run).map { "\($0.operation) \($0.answer)" }
    #expect(
      texts == [
        "add-grant begun", "add-grant done", "unlock done", "set begun", "set done", "get done",
      ])
  }

  /// A program without a grant fills neither file, and does not move other entries out.
  @Test func aFloodIsCounted() throws {
    let run = try AgentRun()
    try run.unlock()
    let client = try run.connect()
    for number in 0..<3000 {
      let key = PrimaryKey.genericPassword(service: "s\(number)", account: "x", group: "bank")
      #expect(throws: AtRestError.self) { try client.send(.get(key, groups: [])) }
    }
    run.service.log.flush(all: true)
    let all = try entries(run)
    #expect(all.count == 22, "\(all.count)")
    #expect(all[0].operation == "unlock" && all[0].answer == "done")
    #expect(all[1].answer == "not-permitted" && all[1].subject.contains("s0"))
    let last = try #require(all.last)
    #expect(last.subject.hasPrefix("and 2980 more that were refused"), "\(last)")
    #expect(last.subject.contains("s2999"))
    // The numbers show that nothing is missing.
    #expect(all.compactMap(\.number) == Array(all[0].number!..<all[0].number! + 22))
    // Locks of a locked store are no changes, and are counted too.
    for _ in 0..<100 { try client.send(.lock) }
    #expect(try entries(run).count(where: { $0.operation == "lock" }) <= 21)
  }

  /// Another file has what was refused, and only it is replaced.
  @Test func refusalsHaveAFileOfTheirOwn() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try AuditLog(in: folder)
    try log.append(entry(1))
    for number in 0..<200 {
      let other = AgentLogEntry(
        time: Date(), operation: String(repeating: "x", count: 30_000), subject: "",
        evidence: [.init(.user, "\(number / 15)")], process: 1, answer: "not-permitted")
      try log.append(other, isKnown: false)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["agent-refused.log", "agent-refused.log.1", "agent.log"])
    #expect(log.last(1000).first?.subject == "item 1")
  }

  @Test func aCutLineSwallowsNothing() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("agent.log")
    do {
      let log = try AuditLog(in: folder)
      for number in 1...3 { try log.append(entry(number)) }
    }
    let whole = try Data(contentsOf: file)
    try whole.dropLast(20).write(to: file)
    let log = try AuditLog(in: folder)
    try log.append(entry(4))
    #expect(log.last(10).map(\.subject) == ["item 1", "item 2", "item 4"])
    #expect(log.last(10).compactMap(\.number) == [1, 2, 3])
    #expect(log.last(2).map(\.subject) == ["item 2", "item 4"])
  }

  /// Replaces what a descriptor of this process leads to by a device that is always full.
  private func fill(_ file: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      guard target == file.path, let number = Int32(name) else { continue }
      let full = open("/dev/full", O_RDWR | O_CLOEXEC)
      dup2(full, number)
      close(full)
    }
  }

  /// What the user allows and the log cannot take is not given, and the refusal says why.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
    arguments: ["once", "session", "always"])
  func aFullDiskGivesNoGrant(answer: String) throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("answer", answer)
    try run.asker.set("passcode", AgentRun.passcode + "\n")
    try fill(run.folder.appendingPathComponent("log/agent.log").resolvingSymlinksInPath())
    for _ in 0..<2 {
      let error = #expect(throws: AtRestError.self) { try run.text(AgentRun.mail) }
      #expect(error?.code == .system)
      #expect(error?.message.contains("has no result") == true, "\(error as Any)")
      #expect(error?.message.contains("agent.log") == true, "\(error as Any)")
    }
    func grants() throws -> [AgentGrant] { try run.connect().document(.grants) }
    #expect(try grants().isEmpty)
    // With room again, the same answer counts, and is in the log.
    try run.restart()
    try run.unlock()
    #expect(try grants().isEmpty)
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(try grants().count == (answer == "always" ? 1 : 0))
    let texts = try entries(run).map { "\($0.operation) \($0.answer)" }
    #expect(
      texts.suffix(answer == "always" ? 4 : 2)
        == ["ask \(answer)"]
        + (answer == "always" ? ["add-grant begun", "add-grant done"] : []) + ["get done"])
  }

  /// An entry says all that a grant gives.
  @Test func aGrantIsRecordedWhole() throws {
    let run = try AgentRun()
    let evidence = AgentEvidence(.user, "\(geteuid())")
    for (mayWrite, isForSandboxes) in [(false, false), (true, false), (true, true)] {
      try run.give(
        AgentGrant(
          evidence, groups: ["mail"], mayWrite: mayWrite, isForSandboxes: isForSandboxes))
    }
    #expect(
      try entries(run).filter { $0.answer == "done" }.map(\.subject) == [
        "\(evidence) [\"mail\"]", "\(evidence) [\"mail\"] --write",
        "\(evidence) [\"mail\"] --write --in-sandboxes",
      ])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func aFullDiskRefusesChanges() throws {
    let run = try AgentRun()
    try run.grant("mail", mayWrite: true)
    try run.unlock()
    let file = run.folder.appendingPathComponent("log/agent.log").resolvingSymlinksInPath()
    try fill(file)
    // Nothing is given out or changed that cannot be recorded.
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .system)
    let set = AgentRequest.set(
      AgentRun.mail, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: [])
    #expect(run.refusal(set) == .system)
    // A lock happens all the same, and an unlock does not.
    try run.connect().send(.lock)
    #expect(!run.service.isUnlocked)
    #expect(run.refusal(.unlock(passcode: AgentRun.secret(AgentRun.passcode))) == .system)
    #expect(!run.service.isUnlocked)
    try run.restart()
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
  }
}
