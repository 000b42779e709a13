import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// The audit log has each access and its answer, and no secret.
struct AuditLogTests {
  @Test func accessesAreRecorded() throws {
    let run = try AgentRun()
    _ = run.refusal(.get(AgentRun.mail, groups: []))
    try run.grant("mail")
    _ = run.refusal(.get(AgentRun.mail, groups: []))
    try run.unlock()
    _ = try run.text(AgentRun.mail)
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
    #expect(
      entries.map { "\($0.operation) \($0.answer)" } == [
        "get locked", "add-grant begun", "add-grant done", "get locked", "unlock done",
        "get done",
      ])
    #expect(entries.last?.subject == "account eva, service mail, group mail")
    #expect(entries.allSatisfy { $0.process == getpid() && !$0.evidence.isEmpty })
    let last: [AgentLogEntry] = try run.connect().document(.log(count: 1))
    #expect(last.count == 1)
    let file = run.folder.appendingPathComponent("log/agent.log")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("mail secret") && !text.contains(AgentRun.passcode))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
