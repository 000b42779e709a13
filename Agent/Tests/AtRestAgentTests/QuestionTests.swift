import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// The user is asked about requests without a grant, and the answers are kept.
struct QuestionTests {
  private static let bank = PrimaryKey.genericPassword(
    service: "bank", account: "eva", group: "bank")
  private let mail = AgentRequest.get(AgentRun.mail, groups: [])

  private func answers(_ run: AgentRun) throws -> [String] {
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
    return entries.filter { $0.operation == "ask" }.map(\.answer)
  }

  @Test func onceIsOneRequest() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(try run.text(AgentRun.mail) == "mail secret")
    let questions = run.asker.questions
    #expect(questions.count == 2)
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for part in [
      "\"\(program)\" asks to read the item with", "account \"eva\"", "service \"mail\"",
      "access group \"mail\"", "program=\"\(program)",
      "Another program of yours could produce it.",
    ] {
      #expect(questions[0].contains(part), "\(questions[0])")
    }
    // Reading is not changing, and the question says which it is.
    let change = AgentRequest.set(
      AgentRun.mail, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: [])
    #expect(run.refusal(change) == nil)
    #expect(run.asker.questions[2].contains(" asks to change the item with"))
    #expect(try answers(run) == ["once", "once", "once"])
    #expect(try (run.connect().document(.grants) as [AgentGrant]).isEmpty)
  }

  @Test func aSessionEndsWithTheLock() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("answer", "session\n")
    for _ in 0..<3 { #expect(try run.text(AgentRun.mail) == "mail secret") }
    #expect(run.asker.questions.count == 1)
    // Another item is another question.
    #expect(try run.text(Self.bank) == "bank secret")
    #expect(run.asker.questions.count == 2)
    try run.connect().send(.lock)
    // While the store is locked, nobody is asked.
    #expect(run.refusal(mail) == .locked)
    #expect(run.asker.questions.count == 2)
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(run.asker.questions.count == 3)
  }

  /// To store a grant needs what `atrest grant add` needs.
  @Test func alwaysNeedsThePasscode() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("answer", "always")
    try run.asker.set("passcode", "wrong\n")
    #expect(run.refusal(mail) == .notPermitted)
    #expect(try answers(run) == ["always", "authentication-failed"])
    #expect(try (run.connect().document(.grants) as [AgentGrant]).isEmpty)
    // Nothing is asked again at once.
    try run.asker.set("passcode", AgentRun.passcode + "\n")
    #expect(run.refusal(mail) == .notPermitted)
    #expect(run.asker.questions.count == 2)

    try run.restart()
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    let grants: [AgentGrant] = try run.connect().document(.grants)
    #expect(grants.map(\.groups) == [["mail"]])
    #expect(
      grants.map(\.evidence.kind) == [.program] || grants.map(\.evidence.kind) == [.systemProgram])
    #expect(grants.map(\.mayWrite) == [false])
    // The grant outlives the agent.
    try run.restart()
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(run.asker.questions.count == 4)
  }

  @Test func neverIsRemembered() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("no")
    for _ in 0..<3 { #expect(run.refusal(mail) == .notPermitted) }
    #expect(run.asker.questions.count == 1)
    #expect(run.refusal(.get(Self.bank, groups: [])) == .notPermitted)
    #expect(run.asker.questions.count == 2)
    #expect(try answers(run) == ["never", "never"])
    // A lock does not end it; a grant does.
    try run.connect().send(.lock)
    try run.unlock()
    run.asker.clear("no")
    #expect(run.refusal(mail) == .notPermitted)
    try run.grant("mail")
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(run.asker.questions.count == 2)
  }

  @Test func noAnswerIsARefusal() throws {
    // The program has to note the question within this time.
    let run = try AgentRun(asks: true, secondsToAnswer: 10)
    try run.unlock()
    try run.asker.set("wait")
    #expect(run.refusal(mail) == .notPermitted)
    run.asker.clear("wait")
    // The question is not repeated at once.
    #expect(run.refusal(mail) == .notPermitted)
    #expect(run.asker.questions.count == 1)
    #expect(try answers(run) == ["canceled"])
    // An answer without a meaning is a refusal too, and so is a program that is missing.
    try run.asker.set("answer", "perhaps")
    #expect(run.refusal(.get(Self.bank, groups: [])) == .notPermitted)
    unlink(run.asker.path)
    #expect(run.refusal(.list(.genericPassword, [:], groups: ["mail"])) == .notPermitted)
    #expect(try answers(run).suffix(2) == ["canceled", "interaction-not-allowed"])
  }

  /// While a question is open, other requests are answered. There is one question at a time, equal
  /// requests share it, and few requests wait.
  @Test func questionsWaitInALine() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.grant("free")
    try run.asker.set("wait")
    let codes = Mutex<[String: [String]]>([:])
    func send(_ service: String) throws {
      let connection = try run.connect()
      let key = PrimaryKey.genericPassword(service: service, account: "x", group: "mail")
      Thread.detachNewThread {
        var code = "done"
        do { try connection.send(.get(key, groups: [])) } catch {
          code = (error as? AtRestError)?.code.rawValue ?? "?"
        }
        codes.withLock { $0[service, default: []].append(code) }
      }
    }
    try send("first")
    eventually { run.asker.questions.count == 1 }
    try send("first")
    try send("second")
    try send("third")
    eventually { run.service.questioner.waiting == 4 }
    // The fifth request with the same evidence is refused.
    #expect(
      run.refusal(.get(.genericPassword(service: "y", account: "x", group: "mail"), groups: []))
        == .busy)
    #expect(run.refusal(.status) == nil)
    #expect(
      run.refusal(.get(.genericPassword(service: "x", account: "x", group: "free"), groups: []))
        == .notFound)
    #expect(run.asker.questions.count == 1)
    run.asker.clear("wait")
    eventually { codes.withLock { $0.values.map(\.count).reduce(0, +) } == 4 }
    // All were allowed, and there are no such items.
    #expect(
      codes.withLock { $0 } == [
        "first": ["not-found", "not-found"], "second": ["not-found"], "third": ["not-found"],
      ])
    #expect(run.asker.questions.count == 3)
    #expect(!run.asker.exists("twice"))
  }

  /// Names in a question cannot pretend to be the agent's words.
  @Test func namesAreShownAsTheyAre() {
    let name = "x\nEvidence: label=good\u{1B}[2K\u{202E}" + String(repeating: "y", count: 500)
    let question = Question(
      evidence: AgentEvidence(.label, "org.example\r.App"),
      item: .genericPassword(service: name, account: "eva"), purpose: nil, groups: ["g"],
      isForWriting: false)
    #expect(question.text.split(separator: "\n").count == 3)
    #expect(question.text.contains("\"x\\u{a}Evidence: label=good\\u{1b}[2K\\u{202e}yyy"))
    #expect(question.text.contains("\"org.example\\u{d}.App\" asks"))
    #expect(question.text.contains("Another program of yours cannot produce it."))
    #expect(!question.text.contains(String(repeating: "y", count: 200)))
  }

  /// Nobody is asked about a process of which only the user is known, or about groups that no program
  /// gets.
  @Test func someRequestsAreNotAsked() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    let user = AgentEvidence(.user, String(geteuid()))
    let unknown = Peer(user: geteuid(), process: 1, evidence: [user])
    guard case .refused(let error) = run.service.answer(mail, to: unknown) else {
      Issue.record("It was answered.")
      return
    }
    #expect(error.code == .notPermitted)
    let own = PrimaryKey.genericPassword(service: "grant", account: "x", group: "atrest.agent")
    #expect(run.refusal(.get(own, groups: [])) != nil)
    for groups in [[], ["*"], ["atrest.agent"], ["mail", "*"]] {
      #expect(run.refusal(.list(.genericPassword, [:], groups: groups)) == .notPermitted)
    }
    let noItem = PrimaryKey.genericPassword(service: "no", account: "x")
    #expect(run.refusal(.get(noItem, groups: [])) == .notPermitted)
    #expect(run.asker.questions.isEmpty)
    // Control: without a group, the item's own is found.
    let mail = PrimaryKey.genericPassword(service: "mail", account: "eva")
    #expect(try run.text(mail) == "mail secret")
    #expect(run.asker.questions.count == 1)
  }
}
