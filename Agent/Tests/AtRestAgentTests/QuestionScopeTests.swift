import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// What is asked is what is allowed, and a refusal is not asked about again and again.
struct QuestionScopeTests {
  private static func key(_ service: String, _ group: String) -> PrimaryKey {
    .genericPassword(service: service, account: "x", group: group)
  }

  /// An item is moved from one group to another. The answer for the first group alone does not allow it.
  @Test func allGroupsAreAsked() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    let move = AgentRequest.perform(
      .update(.key(AgentRun.mail), ItemChange(group: "bank"), secret: nil),
      groups: ["mail", "bank"])
    try run.connect().send(move)
    let question = try #require(run.asker.questions.first)
    #expect(question.contains("access group \"mail\", \"bank\""), "\(question)")
    // Control: a request that uses one group only asks about it, whatever it claims.
    let moved = PrimaryKey.genericPassword(service: "mail", account: "eva", group: "bank")
    #expect(try run.text(moved, groups: ["mail", "bank"]) == "mail secret")
    #expect(!run.asker.questions[1].contains("\"mail\", \"bank\""))
    #expect(run.asker.questions[1].contains("access group \"bank\""))
  }

  /// *Never* counts for the program and the group, so another item is not asked about.
  @Test func neverCountsForTheGroup() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("no")
    for number in 0..<100 {
      #expect(run.refusal(.get(Self.key("s\(number)", "mail"), groups: [])) == .notPermitted)
    }
    #expect(run.asker.questions.count == 1)
    // Whoever may not read may not change either.
    let set = AgentRequest.set(
      AgentRun.mail, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: [])
    #expect(run.refusal(set) == .notPermitted)
    #expect(run.asker.questions.count == 1)
    // Control: another group is asked about.
    #expect(run.refusal(.get(Self.key("s", "bank"), groups: [])) == .notPermitted)
    #expect(run.asker.questions.count == 2)
  }

  /// Names that differ in their bytes only are names of different groups and items, as in the database.
  @Test func anAnswerCountsForTheSameBytesOnly() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    try #require(composed == decomposed)
    try run.asker.set("answer", "session\n")
    for _ in 0..<2 {
      #expect(run.refusal(.get(Self.key("s", composed), groups: [])) == .notFound)
    }
    // Control: the answer is remembered.
    #expect(run.asker.questions.count == 1)
    #expect(run.refusal(.get(Self.key("s", decomposed), groups: [])) == .notFound)
    #expect(run.asker.questions.count == 2)
    #expect(run.refusal(.get(Self.key(composed, "mail"), groups: [])) == .notFound)
    #expect(run.refusal(.get(Self.key(decomposed, "mail"), groups: [])) == .notFound)
    #expect(run.asker.questions.count == 4)
    let evidence = [composed, decomposed].map { AgentEvidence(.program, "/opt/\($0)") }
    #expect(evidence[0] != evidence[1] && Set(evidence).count == 2)
    #expect(
      AgentGrant(evidence[0], groups: [composed], mayWrite: false)
        != AgentGrant(evidence[0], groups: [decomposed], mayWrite: false))
  }

  /// A program that invents groups is not asked about for a while after three refusals.
  @Test func aFloodEnds() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    try run.asker.set("no")
    for number in 0..<50 {
      #expect(run.refusal(.get(Self.key("s", "g\(number)"), groups: [])) == .notPermitted)
    }
    #expect(run.asker.questions.count == 3)
  }

  private func question(
    _ group: String, _ program: String = "p", item: String = "s", writing: Bool = false
  ) -> Question {
    Question(
      evidence: AgentEvidence(.program, program), item: Self.key(item, group), purpose: nil,
      groups: [group], isForWriting: writing)
  }

  @Test func pausesGrowAndEnd() {
    var answers = RememberedAnswers()
    var now = ContinuousClock.now
    for number in 0..<3 {
      #expect(answers.decision(question("g\(number)"), at: now) == nil)
      answers.remember(nil, to: question("g\(number)"), at: now, wasLocked: false)
    }
    #expect(answers.decision(question("g9"), at: now) == .refused)
    // Another program is asked about.
    #expect(answers.decision(question("g9", "q"), at: now) == nil)
    now += .seconds(60)
    #expect(answers.decision(question("g9"), at: now) == nil)
    answers.remember(.never, to: question("g9"), at: now, wasLocked: false)
    now += .seconds(119)
    #expect(answers.decision(question("g8"), at: now) == .refused)
    now += .seconds(1)
    #expect(answers.decision(question("g8"), at: now) == nil)
    // An answer that allows something ends it.
    answers.remember(.once, to: question("g8"), at: now, wasLocked: false)
    answers.remember(nil, to: question("g8"), at: now, wasLocked: false)
    #expect(answers.decision(question("g7"), at: now) == nil)
    #expect(answers.decision(question("g9"), at: now + .seconds(1_000_000)) == .refused)
  }

  /// Thousands of answers leave room for others, and do not end asking.
  @Test func answersAreForgotten() {
    var answers = RememberedAnswers()
    let now = ContinuousClock.now
    for number in 0..<5000 {
      answers.remember(
        .session, to: question("g", "p", item: "\(number)"), at: now, wasLocked: false)
      answers.remember(.session, to: question("g", "p\(number)"), at: now, wasLocked: false)
    }
    #expect(answers.decision(question("g", "p", item: "4999"), at: now) == .allowed)
    #expect(answers.decision(question("g", "p", item: "0"), at: now) == nil)
    answers.storeWasLocked()
    #expect(answers.decision(question("g", "p", item: "4999"), at: now) == nil)
  }

  /// A name cannot end its quotation marks, and so not stand for the agent's own words.
  @Test func namesAreQuoted() {
    let name = "backup\", access group \"mail\". Evidence: unit=\"backup.service\". \\"
    let text = question("g", item: name).text
    #expect(
      text.contains(
        "service \"backup\\\", access group \\\"mail\\\". Evidence: "
          + "unit=\\\"backup.service\\\". \\\\\", access group \"g\"."), "\(text)")
    #expect(text.contains("\nEvidence: program=\"p\". "))
  }
}
