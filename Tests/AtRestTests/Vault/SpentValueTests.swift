import AtRest
import Foundation
import Testing

/// A value that was read as often as allowed is gone, and a further read is told why.
@Suite struct SpentValueTests {
  private let once = VaultRecord<String>("note", .document, keep: Retention(uses: 1))
  private let day = 86_400.0

  @Test func isExpiredAndNotMissing() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    #expect(try eva.value(in: once) == "text")
    for _ in 0..<2 { expect(.expired) { _ = try eva.value(in: once) } }
    expect(.expired) { _ = try test.open().logIn("eva").value(in: once) }
    #expect(try !eva.contains(once))
    #expect(try eva.contents.isEmpty)
    #expect(try eva.value(in: once, default: "none") == "none")
    // Control: a record that never had a value.
    expect(.notFound) { _ = try eva.value(in: VaultRecord<String>("other", .document)) }
  }

  @Test func leavesNoneOfItsBytes() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("correct horse", in: once)
    func secrets() throws -> [String] {
      try test.device.keychain()
        .items(matching: KeychainQuery(.genericPassword), secrets: true)
        .map { item in item.withSecret { String(decoding: $0, as: UTF8.self) } ?? "" }
    }
    #expect(try secrets().contains { $0.contains("correct horse") })
    _ = try eva.value(in: once)
    #expect(try !secrets().contains { $0.contains("correct horse") })
  }

  @Test func isRememberedForADay() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    _ = try eva.value(in: once)
    test.device.advanceClock(by: day - 60)
    #expect(try eva.vault.purge() == 0)
    expect(.expired) { _ = try eva.value(in: once) }
    test.device.advanceClock(by: 61)
    #expect(try eva.vault.purge() == 0)
    expect(.notFound) { _ = try eva.value(in: once) }
  }

  @Test func canBeStoredAgain() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    _ = try eva.value(in: once)
    try eva.store("again", in: once)
    #expect(try eva.value(in: once) == "again")
    #expect(try eva.update(once, default: "new") { $0 += "!" } == "new!")
    #expect(try eva.value(in: once) == "new!")
  }

  @Test func isNoValueToRemove() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    _ = try eva.value(in: once)
    #expect(try !eva.remove(once))
    expect(.notFound) { _ = try eva.value(in: once) }
  }

  @Test func aFileIsRemovedAtItsLastUse() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let record = VaultRecord<Data>("report", .document, keep: Retention(uses: 1))
    try eva.store(Data(count: 20_000), in: record)
    #expect(try eva.value(in: record).count == 20_000)
    #expect(test.valueFiles.isEmpty)
    expect(.expired) { _ = try eva.value(in: record) }
    #expect(try test.open().purge() == 0)
  }

  /// The use is counted before the first byte leaves.
  @Test func aFailedOutputIsAUse() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let record = VaultRecord<Data>("report", .document, keep: Retention(uses: 1))
    try eva.store(Data(count: 20_000), in: record)
    let missing = test.folder.appendingPathComponent("missing/copy")
    #expect(throws: AtRestError.self) { try eva.copy(record, to: .file(missing)) }
    expect(.expired) { try eva.copy(record, to: .file(missing)) }
    #expect(test.valueFiles.isEmpty)
  }

  /// A transaction that fails would return the value without counting the use.
  @Test func isNotReadInACallersTransaction() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    try eva.store("text", in: .session)
    let other = try eva.vault.keychain.transaction { () throws -> String in
      expect(.invalidArgument) { _ = try eva.value(in: once) }
      return try eva.value(in: .session)
    }
    // Control: a value without a limit.
    #expect(other == "text")
    #expect(try eva.value(in: once) == "text")
  }

  /// While the store is locked, nothing is said about the value.
  @Test func isLockedWhileTheStoreIs() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    _ = try eva.value(in: once)
    test.device.lock()
    expect(.locked) { _ = try eva.value(in: once) }
    try test.device.unlock()
    expect(.expired) { _ = try eva.value(in: once) }
  }

  /// No clock brings a value back, before or after a purge.
  @Test(arguments: [-400.0, -1, 1, 400])
  func staysSpentWhateverTheClockSays(days: Double) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: once)
    _ = try eva.value(in: once)
    test.device.advanceClock(by: days * day)
    expect(.expired) { _ = try eva.value(in: once) }
    let again = try test.open().logIn("eva")
    let error = #expect(throws: AtRestError.self) { try again.value(in: once) }
    #expect(error?.refusal == .notFound)
  }
}
