@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The decision about what the session's bus sends to a client of the agent's own.
struct BusRelayFilterTests {
  private func message(
    _ kind: BusMessage.Kind, from sender: String?, to destination: String?, answering: UInt32? = nil
  ) -> BusMessage {
    var message = BusMessage(
      kind, path: "/", interface: "org.example.Test", member: "M", destination: destination)
    (message.sender, message.answered) = (sender, answering)
    if kind == .error { message.errorName = "org.example.Error" }
    return message
  }

  private func call(_ serial: UInt32, of destination: String) -> BusMessage {
    BusMessage(.call, serial: serial, path: "/", member: "M", destination: destination)
  }

  private func bytes(_ message: BusMessage) -> [UInt8] {
    message.encoded().withUnsafeBytes { Array($0) }
  }

  private func judged(_ message: BusMessage, by filter: inout BusRelayFilter)
    -> BusRelayFilter.Verdict
  {
    bytes(message).withUnsafeBytes { filter.judge($0) }
  }

  private static let receivers: [(BusMessage.Kind, String?, Bool)] = [
    (.call, ":1.7", true), (.call, "org.example.App", true), (.call, ":1.8", false),
    (.call, "org.freedesktop.secrets", false), (.call, ":0.3", false), (.call, nil, false),
    (.signal, ":1.7", true), (.signal, nil, true), (.signal, "org.example.App", true),
    (.signal, ":1.8", false), (.signal, ":0.0", false),
  ]

  @Test(arguments: receivers)
  func aMessageIsForTheClient(
    kind: BusMessage.Kind, destination: String?, isPassedOn: Bool
  ) {
    var filter = BusRelayFilter(client: ":1.7")
    let verdict = judged(message(kind, from: ":1.5", to: destination), by: &filter)
    #expect(verdict == (isPassedOn ? .message : .nothing))
    for sender in [nil, ":0.0", ":0.5", "org.freedesktop.secrets"] {
      #expect(judged(message(kind, from: sender, to: destination), by: &filter) == .nothing)
    }
  }

  /// The serial alone is no proof: other calls have serials that can be guessed.
  @Test(arguments: [
    (":1.5", BusMessage.Kind.reply, ":1.5", true), (":1.5", .reply, ":1.6", false),
    (":1.5", .error, ":1.6", false), (":1.5", .error, "org.freedesktop.DBus", true),
    (":1.5", .reply, "org.freedesktop.DBus", false),
    ("org.example.App", .reply, ":1.6", true), ("org.example.App", .error, ":1.6", true),
    ("org.example.App", .reply, "org.freedesktop.DBus", false),
    ("org.freedesktop.DBus", .reply, "org.freedesktop.DBus", true),
    ("org.freedesktop.DBus", .reply, ":1.6", false),
    ("org.freedesktop.DBus", .error, ":1.6", false),
  ])
  func anAnswerComesFromTheProgramThatWasCalled(
    destination: String, kind: BusMessage.Kind, sender: String, isPassedOn: Bool
  ) {
    var filter = BusRelayFilter(client: ":1.7")
    #expect(filter.expect(.any, to: call(3, of: destination)) == nil)
    let answer = message(kind, from: sender, to: ":1.7", answering: 3)
    #expect(judged(answer, by: &filter) == (isPassedOn ? .message : .nothing))
    #expect(filter.count == (isPassedOn ? 0 : 1))
    #expect(judged(answer, by: &filter) == .nothing)
  }

  @Test func theOldestCallFailsForANewOne() throws {
    var filter = BusRelayFilter(client: ":1.7")
    for serial in 1...UInt32(BusRelayFilter.mostCalls) {
      #expect(filter.expect(.any, to: call(serial, of: ":1.5")) == nil)
    }
    let oldest = filter.expect(.any, to: call(5000, of: ":1.5"))
    let failure = try #require(oldest)
    #expect(failure.kind == .error && failure.answered == 1 && failure.destination == ":1.7")
    #expect(failure.errorName == "org.freedesktop.DBus.Error.LimitsExceeded")
    // Its answer comes too late. The others are there.
    let late = message(.reply, from: ":1.5", to: ":1.7", answering: 1)
    #expect(judged(late, by: &filter) == .nothing)
    #expect(filter.failAll().count == BusRelayFilter.mostCalls)
  }

  @Test func whatCannotBePassedOnIsRefused() throws {
    var filter = BusRelayFilter(client: ":1.7")
    func refusal(_ message: BusMessage) -> BusRelayFilter.Refusal? {
      bytes(message).withUnsafeBytes { filter.refuse($0, BusRelayFilter.tooLarge) }
    }
    guard
      case .toBus(let answer) = refusal(message(.call, from: ":1.5", to: "org.example.App"))
    else {
      Issue.record("The caller gets no answer.")
      return
    }
    #expect(answer.kind == .error && answer.destination == ":1.5" && answer.answered == 1)
    var quiet = message(.call, from: ":1.5", to: ":1.7")
    quiet.wantsReply = false
    #expect(refusal(quiet) == nil && refusal(message(.call, from: ":1.5", to: ":1.8")) == nil)
    #expect(refusal(message(.signal, from: ":1.5", to: nil)) == nil)
    let reply = message(.reply, from: ":1.5", to: ":1.7", answering: 4)
    #expect(refusal(reply) == nil)
    _ = filter.expect(.any, to: call(4, of: ":1.5"))
    guard case .toClient(let failure) = refusal(reply) else {
      Issue.record("The client gets no answer.")
      return
    }
    #expect(failure.answered == 4 && failure.sender == BusHub.bus)
  }

  @Test func aRuleIsRefusedByAnErrorOfTheBus() {
    var filter = BusRelayFilter(client: ":1.7")
    for (kind, verdict) in [
      (BusMessage.Kind.error, BusRelayFilter.Verdict.refusedRule("rule")), (.reply, .message),
    ] {
      _ = filter.expect(.rule("rule"), to: call(2, of: BusHub.bus))
      let answer = message(kind, from: BusHub.bus, to: ":1.7", answering: 2)
      #expect(judged(answer, by: &filter) == verdict)
    }
  }

  /// A quote together with an accent is one character and two bytes.
  @Test func rulesAreReadAsBytes() throws {
    let rule = try #require(MatchRule("type='signal',path='/a'"))
    #expect(MatchRule("type='signal'\u{301},path='/a'") != rule)
    let accent = try #require(MatchRule("path='\u{301}',sender=':0.0'"))
    #expect(accent.sender == ":0.0")
    #expect(MatchRule("sender='\u{301}") == nil)
  }

  /// Other programs have room for their rules.
  @Test func oneProgramHasItsShareOfRules() throws {
    let hub = BusHub()
    let holders = [Holder(user: 1, process: 1), Holder(user: 1, process: 2)]
    func rules(of holder: Holder, clients: Int) -> Int {
      (0..<clients).reduce(0) { count, _ in
        let name = hub.join(Outbox(), of: holder)
        var added = 0
        while (try? hub.add("type='signal'", of: name)) != nil { added += 1 }
        return count + added
      }
    }
    #expect(rules(of: holders[0], clients: 1) == BusHub.mostRules)
    #expect(
      rules(of: holders[0], clients: 9) == BusHub.mostRulesOfProgram - BusHub.mostRules)
    #expect(rules(of: holders[1], clients: 1) == BusHub.mostRules)
  }

  @Test func descriptorsAreAgreedOnWhereTheyArePassedOn() {
    for offers in [true, false] {
      var login = BusLogin(guid: "0f", user: 1000, offersDescriptors: offers)
      #expect(login.answer(Array("\0NEGOTIATE_UNIX_FD".utf8)) != .line("AGREE_UNIX_FD"))
      #expect(login.answer(Array("AUTH EXTERNAL 31303030".utf8)) == .line("OK 0f"))
      #expect((login.answer(Array("NEGOTIATE_UNIX_FD".utf8)) == .line("AGREE_UNIX_FD")) == offers)
      #expect(login.passesDescriptors == offers)
    }
  }
}
