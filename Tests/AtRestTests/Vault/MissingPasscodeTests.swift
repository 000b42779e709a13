import AtRest
import AtRestSimulation
import Foundation
import Synchronization
import Testing

/// A vault does not silently store values without a passcode.
@Suite struct MissingPasscodeTests {
  private final class Notices: Sendable {
    private let risks = Mutex<[StoreRisk]>([])
    var all: [StoreRisk] { risks.withLock { $0 } }
    func add(_ risk: StoreRisk) { risks.withLock { $0.append(risk) } }
  }

  private func vault(passcode: String?) throws -> (TestVault, Notices) {
    let (test, notices) = (try TestVault(passcode: passcode), Notices())
    test.options.onMissingPasscode = { notices.add($0) }
    return (test, notices)
  }

  @Test func isToldWhenAValueIsStoredOnceADay() throws {
    let (test, notices) = try vault(passcode: nil)
    let eva = try test.open().logIn("eva")
    #expect(notices.all.isEmpty)
    try eva.store("text", in: .note)
    #expect(notices.all.map(\.id) == ["no-passcode"])
    try eva.store("other", in: .note)
    try eva.preferences.set(1, forKey: "size")
    try test.open().logIn("eva").store("again", in: .note)
    #expect(notices.all.count == 1)
    test.device.advanceClock(by: 86_401)
    try eva.store("text", in: .note)
    #expect(notices.all.count == 2)
  }

  @Test func isToldAgainAfterTheClockWasPutBack() throws {
    let (test, notices) = try vault(passcode: nil)
    try test.open().logIn("eva").store("text", in: .note)
    test.device.advanceClock(by: -86_401)
    try test.open().logIn("eva").store("text", in: .note)
    #expect(notices.all.count == 2)
    try test.open().logIn("eva").store("text", in: .note)
    #expect(notices.all.count == 2)
  }

  @Test func isAReasonToRefuse() throws {
    let (test, notices) = try vault(passcode: nil)
    test.options.missingPasscode = .refuse
    let eva = try test.open().logIn("eva")
    expect(.passcodeNotSet) { try eva.store("text", in: .note) }
    expect(.passcodeNotSet) { try eva.store(Data(count: 20_000), in: .report) }
    expect(.passcodeNotSet) { try eva.preferences.set(1, forKey: "size") }
    // What was never stored is not found, and a removal needs no passcode.
    expect(.notFound) { _ = try eva.value(in: .note) }
    #expect(try !eva.remove(VaultRecord.note))
    #expect(test.valueFiles.isEmpty)
    #expect(notices.all.isEmpty)
  }

  @Test func isNoReasonToKeepAValue() throws {
    let (test, _) = try vault(passcode: nil)
    let preferences = try test.open().logIn("eva").preferences
    try preferences.set(1, forKey: "size")
    try preferences.set(2, forKey: "width")
    test.options.missingPasscode = .refuse
    let eva = try test.open().logIn("eva")
    try eva.preferences.removeObject(forKey: "size")
    try eva.preferences.set(nil, forKey: "width")
    #expect(try eva.preferences.dictionaryRepresentation().isEmpty)
    expect(.passcodeNotSet) { try eva.preferences.set(1, forKey: "size") }
    expect(.passcodeNotSet) { _ = try eva.pseudonyms.pseudonym(for: "7", to: "ads.example") }
  }

  /// Control: with a passcode, nothing is told and nothing is refused.
  @Test func doesNotConcernAStoreWithOne() throws {
    let (test, notices) = try vault(passcode: "1234")
    test.options.missingPasscode = .refuse
    try test.open().logIn("eva").store("text", in: .note)
    #expect(notices.all.isEmpty)
  }
}
