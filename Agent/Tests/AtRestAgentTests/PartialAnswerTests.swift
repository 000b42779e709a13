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

  private static func passwords(limit: Int? = nil) -> ItemSelector {
    .query(KeychainQuery(.genericPassword, synchronizable: .any, limit: limit))
  }

  private func reasons(_ query: ItemSelector, groups: [String], in run: AgentRun) throws
    -> [AtRestError.Code]
  {
    let request = AgentRequest.perform(.items(query, secrets: false), groups: groups)
    guard case .items(let items) = try run.connect().send(request) else {
      throw CancellationError()
    }
    #expect(items.map(\.attributes.service) == ["mail"])
    return items.withheld.map(\.reason.code)
  }

  /// A list of what is granted says that there may be more.
  @Test func aListOfAPartSaysSo() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail", mayWrite: true)
    #expect(try reasons(Self.passwords(), groups: [], in: run) == [.notPermitted])
    // Complete are a list of the groups that were asked for, and one with as many items as were asked for.
    #expect(try reasons(Self.passwords(), groups: ["mail"], in: run).isEmpty)
    #expect(try reasons(Self.passwords(limit: 1), groups: [], in: run).isEmpty)
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
      try atrest.withPasscode(
        "grant", "add", "--program", atrest.path, "--group", "mail", "--write"
      )
      .status
        == 0)
    let partial = try atrest.script(get)
    #expect(partial.text.contains("quit=1"), "\(partial)")
    let erased = try atrest.script("\(request) | ./git-credential-atrest erase")
    #expect(erased.status == 5, "\(erased)")
    // Of the passwords for this host, the one that it may see is for another port.
    let stored = try atrest.script(
      "printf 'protocol=https\\nhost=example.org:8443\\nusername=eva\\npassword=x\\n\\n'"
        + " | ./git-credential-atrest --group mail store")
    #expect(stored.status == 0, "\(stored)")
    let otherPort = try atrest.script(get)
    #expect(otherPort.text.contains("quit=1"), "\(otherPort)")
    #expect(try atrest.script("$ATREST list").text.contains("There may be more items"))
    #expect(
      try atrest.withPasscode("grant", "add", "--program", atrest.path, "--group", "*").status == 0)
    let whole = try atrest.script(get)
    #expect(whole.status == 0 && whole.text.isEmpty, "\(whole)")
  }
}
