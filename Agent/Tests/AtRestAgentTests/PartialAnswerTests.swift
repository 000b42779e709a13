import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@_spi(Tools) @testable import AtRestAgent

/// A program that may not look in all access groups never hears that there is nothing.
struct PartialAnswerTests {
  private static let bank = ItemSelector.query(
    KeychainQuery(.genericPassword, [.service: .text("bank")], synchronizable: .any))

  @Test(arguments: [
    AgentRequest.perform(.items(bank, secrets: false), groups: []),
    .perform(.items(bank, secrets: true), groups: []),
    .perform(.update(bank, ItemChange(), secret: nil), groups: []),
    .perform(.delete(bank), groups: []),
  ])
  func whatOtherGroupsMayHaveIsNotPermitted(_ request: AgentRequest) throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail", mayWrite: true)
    #expect(run.refusal(request) == .notPermitted)
  }

  @Test func theGroupsThatItAsksForAreAnsweredWhole() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail", mayWrite: true)
    let request = AgentRequest.perform(.items(Self.bank, secrets: false), groups: ["mail"])
    guard case .items(let none) = try run.connect().send(request) else { throw CancellationError() }
    #expect(none.isEmpty)
  }

  @Test func whoMayLookEverywhereHearsThatThereIsNothing() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("*", mayWrite: true)
    let nothing = ItemSelector.query(
      KeychainQuery(.genericPassword, [.service: .text("none")], synchronizable: .any))
    let request = AgentRequest.perform(.items(nothing, secrets: false), groups: [])
    guard case .items(let none) = try run.connect().send(request) else { throw CancellationError() }
    #expect(none.isEmpty)
  }

  /// git takes an empty answer for *there is no password*, and asks for one, which would then replace the other.
  @Test func gitIsToldToStop() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    defer { withExtendedLifetime(agent) {} }
    #expect(try atrest.withPasscode("unlock").status == 0)
    let request = "printf 'protocol=https\\nhost=example.org\\n\\n'"
    let get = "ln -sf $ATREST git-credential-atrest; \(request) | ./git-credential-atrest get"
    #expect(
      try atrest.withPasscode("grant", "add", "--program", atrest.path, "--group", "mail").status
        == 0)
    let partial = try atrest.script(get)
    #expect(partial.text.contains("quit=1"), "\(partial)")
    let erased = try atrest.script("\(request) | ./git-credential-atrest erase")
    #expect(erased.status == 5, "\(erased)")
    #expect(
      try atrest.withPasscode("grant", "add", "--program", atrest.path, "--group", "*").status == 0)
    let whole = try atrest.script(get)
    #expect(whole.status == 0 && whole.text.isEmpty, "\(whole)")
  }
}
