import AtRest
import Foundation
import Testing

@Suite struct RetentionTests {
  private let day = 86_400.0
  private func note(_ retention: Retention) -> VaultRecord<String> {
    VaultRecord("note", .document, keep: retention)
  }

  @Test func endsAtTheAge() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: note(.days(2)))
    test.device.advanceClock(by: 2 * day - 60)
    #expect(try eva.value(in: .note) == "text")
    test.device.advanceClock(by: 61)
    expect(.expired) { _ = try eva.value(in: .note) }
    expect(.notFound) { _ = try eva.value(in: .note) }
  }

  @Test func endsAtTheDeadlineOrTheAgeWhicheverIsFirst() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let deadline = Date().addingTimeInterval(day)
    try eva.store("text", in: note(Retention(until: deadline, age: .seconds(9 * day))))
    let expires = try #require(try eva.contents.first?.expires)
    #expect(abs(expires.timeIntervalSince(deadline)) < 0.01)
    test.device.advanceClock(by: day + 1)
    #expect(try !eva.contains(VaultRecord<String>.note))
  }

  @Test func endsAfterTheLastUse() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let record = note(Retention(uses: 2))
    try eva.store("text", in: record)
    #expect(try eva.value(in: record) == "text")
    #expect(try eva.contents.first?.usesLeft == 1)
    #expect(try eva.value(in: record) == "text")
    expect(.expired) { _ = try eva.value(in: record) }
  }

  @Test func aLastUseRemovesTheFileToo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(
      Data(count: 20_000), in: VaultRecord("report", .document, keep: Retention(uses: 1)))
    #expect(try eva.value(in: .report).count == 20_000)
    #expect(test.valueFiles.isEmpty)
  }

  @Test func endsWhereItIsNotRead() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let record = note(Retention(idle: .seconds(7 * day)))
    try eva.store("text", in: record)
    for _ in 0..<4 {
      test.device.advanceClock(by: 5 * day)
      #expect(try eva.value(in: record) == "text")
    }
    test.device.advanceClock(by: 7 * day + 1)
    expect(.expired) { _ = try eva.value(in: record) }
  }

  @Test func takesPartsOfASecondForOne() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let record = note(Retention(idle: .milliseconds(500)))
    try eva.store("text", in: record)
    test.device.advanceClock(by: 2)
    expect(.expired) { _ = try eva.value(in: record) }
  }

  @Test func isPurgedAtTheOpeningAndOnRequest() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: note(.minutes(5)))
    try eva.store(Data(count: 20_000), in: VaultRecord("report", .document, keep: .days(1)))
    try eva.store("stays", in: .session)
    test.device.advanceClock(by: 600)
    #expect(try eva.vault.purge() == 1)
    #expect(try eva.vault.purge() == 0)
    test.device.advanceClock(by: day)
    #expect(test.valueFiles.count == 1)
    let again = try test.open()
    #expect(test.valueFiles.isEmpty)
    #expect(try again.logIn("eva").contents.map(\.name) == ["session"])
  }

  @Test func aKindSaysItWhereTheRecordDoesNot() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let cached = VaultRecord<String>("feed", .cache)
    try eva.store("text", in: cached)
    test.device.advanceClock(by: 7 * day + 1)
    expect(.expired) { _ = try eva.value(in: cached) }
  }

  @Test(arguments: [Date.distantFuture, Date.distantFuture + 1e15, Date() + 1e11])
  func takesDeadlinesThatAreAsGoodAsNone(deadline: Date) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    let genome = VaultRecord<Data>("genome", .genetic, keep: Retention(until: deadline))
    try eva.store(Data([1]), in: genome)
    #expect(try eva.value(in: genome) == Data([1]))
    #expect(try eva.contents.first?.expires == nil)
  }

  @Test func refusesLimitsThatKeepNothing() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    for retention in [
      Retention(until: .distantPast), Retention(age: .zero), Retention(uses: 0),
      Retention(idle: .seconds(-1)),
    ] {
      expect(.invalidArgument) { try eva.store("text", in: note(retention)) }
    }
  }

  @Test func saysItInWords() {
    #expect("\(Retention.untilLogout)" == "until logout")
    #expect("\(Retention.days(1))" == "1 day from when it is stored")
    #expect(
      "\(Retention(idle: .seconds(7200), uses: 1))"
        == "2 hours from when it was last read, or one read")
  }
}
