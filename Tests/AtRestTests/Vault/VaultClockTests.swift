import AtRest
import AtRestSimulation
import Foundation
import Testing

/// Setting the clock back keeps no value longer.
@Suite struct VaultClockTests {
  private static let day = 86_400.0
  private static let record = VaultRecord<String>("limited", .document, keep: .days(2))
  private static let clockKey = PrimaryKey.genericPassword(
    service: "atrest.vault.main", account: "clock")

  @Test func whatHasExpiredStaysExpired() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("text", in: Self.record)
    // The vault sees this time when it reads another value; the value itself was not touched.
    test.device.advanceClock(by: 3 * Self.day)
    try eva.store("other", in: VaultRecord<String>("other", .document, keep: .days(9)))
    test.device.advanceClock(by: -3 * Self.day)
    expect(.expired) { _ = try eva.value(in: Self.record) }
  }

  @Test func alsoAfterARestart() throws {
    let test = try TestVault()
    do {
      let eva = try test.open().logIn("eva")
      try eva.store("text", in: Self.record)
      try eva.store("later", in: VaultRecord<String>("later", .document, keep: .days(9)))
      test.device.advanceClock(by: 3 * Self.day)
      _ = try eva.value(in: VaultRecord<String>("later", .document, keep: .days(9)))
    }
    test.device.advanceClock(by: -3 * Self.day)
    // The purge at the opening removes it.
    let eva = try test.open().logIn("eva")
    expect(.notFound) { _ = try eva.value(in: Self.record) }
    #expect(try eva.value(in: VaultRecord<String>("later", .document, keep: .days(9))) == "later")
  }

  @Test func anotherObjectSawALaterTime() throws {
    let test = try TestVault()
    let (one, other) = (try test.open(), try test.open())
    let eva = try one.logIn("eva")
    try eva.store("text", in: Self.record)
    test.device.advanceClock(by: 3 * Self.day)
    try other.device.store("x", in: VaultRecord<String>("x", .document, keep: .days(9)))
    test.device.advanceClock(by: -2 * Self.day)
    expect(.expired) { _ = try eva.value(in: Self.record) }
  }

  /// A clock ran ahead and was corrected. Values stored from then on expire after the same time.
  @Test func timeGoesOnWhereTheClockWasPutBack() throws {
    let test = try TestVault()
    test.device.advanceClock(by: 99 * Self.day)
    _ = try test.open()
    test.device.advanceClock(by: -99 * Self.day)
    try test.open().logIn("eva").store("text", in: Self.record)
    // Each opening acts like a process of its own.
    test.device.advanceClock(by: Self.day)
    #expect(try test.open().logIn("eva").value(in: Self.record) == "text")
    test.device.advanceClock(by: 1.1 * Self.day)
    expect(.notFound) { _ = try test.open().logIn("eva").value(in: Self.record) }
  }

  @Test func aClockThatTheUserVouchesForIsTakenAsRight() throws {
    let test = try TestVault()
    let until = Date().addingTimeInterval(9 * Self.day)
    let dated = VaultRecord<String>("dated", .document, keep: Retention(until: until))
    test.device.advanceClock(by: 99 * Self.day)
    let vault = try test.open()
    test.device.advanceClock(by: -99 * Self.day)
    #expect(throws: AtRestError.self) { try vault.logIn("eva").store("text", in: dated) }
    try vault.trustSystemClock()
    try vault.logIn("eva").store("text", in: dated)
    #expect(try test.open().logIn("eva").value(in: dated) == "text")
  }

  /// Another object or process, which has seen the wrong time, must not put it back.
  @Test func anOpenVaultFollowsTheCorrection() throws {
    let test = try TestVault()
    test.device.advanceClock(by: 99 * Self.day)
    let (one, other) = (try test.open(), try test.open())
    let eva = try other.logIn("eva")
    try eva.store("seen", in: VaultRecord<String>("seen", .document, keep: .days(9)))
    test.device.advanceClock(by: -99 * Self.day)
    try one.trustSystemClock()
    let until = Date().addingTimeInterval(9 * Self.day)
    let dated = VaultRecord<String>("dated", .document, keep: Retention(until: until))
    try eva.store("text", in: dated)
    #expect(try eva.value(in: dated) == "text")
    #expect(try test.open().logIn("eva").value(in: dated) == "text")
  }

  /// Control: while the clock is right, nothing ends early, and values without a limit never end.
  @Test func nothingElseEnds() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: Self.record)
    try eva.store("kept", in: VaultRecord.note)
    test.device.advanceClock(by: Self.day)
    #expect(try eva.value(in: Self.record) == "text")
    test.device.advanceClock(by: -Self.day)
    #expect(try eva.value(in: Self.record) == "text")
    test.device.advanceClock(by: 99 * Self.day)
    #expect(try eva.value(in: .note) == "kept")
  }

  @Test func readingsCostNoWrites() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: Self.record)
    let keychain = try test.device.keychain()
    let before = try keychain.item(for: Self.clockKey).attributes.modificationDate
    for _ in 0..<100 { _ = try eva.value(in: Self.record) }
    #expect(try keychain.item(for: Self.clockKey).attributes.modificationDate == before)
  }

  @Test func aDamagedClockClosesWhatGoesByItAndNothingElse() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: Self.record)
    try eva.store("kept", in: VaultRecord.note)
    try test.device.keychain().set(Self.clockKey, secret: SecretBytes(Data([1, 2, 3])))
    let vault = try test.open()
    let again = try vault.logIn("eva")
    expect(.damaged) { _ = try again.value(in: Self.record) }
    #expect(try again.value(in: .note).isEmpty == false)
    #expect(try vault.purge() == 0)
  }

  @Test func aWipeForgetsTheTime() throws {
    let test = try TestVault()
    test.device.advanceClock(by: 99 * Self.day)
    try test.open().wipe()
    #expect(try test.device.keychain().count() == 0)
    test.device.advanceClock(by: -99 * Self.day)
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: Self.record)
    #expect(try eva.value(in: Self.record) == "text")
  }
}
