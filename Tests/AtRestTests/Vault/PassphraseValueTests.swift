import AtRest
import Foundation
import Testing

@Suite struct PassphraseValueTests {
  @Test func refusesHighlySensitiveDataWithoutAPassphrase() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.passphraseNotSet) { try eva.store(Data([1]), in: .genome) }
    #expect(try !eva.hasPassphrase)
  }

  @Test func opensWithThePassphraseAlone() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data([1]), in: .genome)
    #expect(try eva.value(in: .genome) == Data([1]))
    eva.lock()
    expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
    expect(.passphraseRequired) { try eva.store(Data([2]), in: .genome) }
    expect(.authenticationFailed) { try eva.unlock(passphrase: phrase("wrong")) }
    expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
    try eva.unlock(passphrase: phrase())
    #expect(try eva.value(in: .genome) == Data([1]))
    #expect(try eva.contents.first?.key == .passphrase)
  }

  @Test func coversFilesToo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data(count: 50_000), in: .genome)
    eva.lock()
    expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
    expect(.passphraseRequired) { _ = try eva.open(.genome) }
    try eva.unlock(passphrase: phrase())
    #expect(try eva.value(in: .genome) == Data(count: 50_000))
  }

  @Test func isForgottenAtALockAndAfterAWhile() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data([1]), in: .genome)
    test.device.lock()
    try test.device.unlock()
    expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
    try eva.unlock(passphrase: phrase())
    test.device.advanceClock(by: 59)
    #expect(try eva.value(in: .genome) == Data([1]))
    test.device.advanceClock(by: 2)
    expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
  }

  @Test func isAskedForWhereThereIsAWayTo() throws {
    let test = try TestVault()
    nonisolated(unsafe) var asked: [String?] = []
    test.options.askPassphrase = { account in
      asked.append(account)
      return phrase()
    }
    test.options.passphraseLifetime = .zero
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data([1]), in: .genome)
    #expect(try eva.value(in: .genome) == Data([1]))
    #expect(asked == ["eva", "eva"])
  }

  @Test func isChangedWithoutTouchingValues() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data(count: 50_000), in: .genome)
    let file = test.folder.appendingPathComponent("values/\(test.valueFiles[0])")
    let before = try Data(contentsOf: file)
    let new = "seven lanterns at 4 harbours"
    expect(.authenticationFailed) {
      try eva.changePassphrase(from: phrase("wrong"), to: phrase(new))
    }
    try eva.changePassphrase(from: phrase(), to: phrase(new))
    #expect(try Data(contentsOf: file) == before)
    eva.lock()
    expect(.authenticationFailed) { try eva.unlock(passphrase: phrase()) }
    try eva.unlock(passphrase: phrase(new))
    #expect(try eva.value(in: .genome) == Data(count: 50_000))
  }

  @Test func isRefusedWhereItIsWeak() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.weakPassphrase) { try eva.setPassphrase(phrase("4711")) }
    #expect(try !eva.hasPassphrase)
    try eva.setPassphrase(phrase("thimble 92"), for: .sensitive)
    expect(.passphraseNotSet) { try eva.store(Data([1]), in: .genome) }
    expect(.duplicate) { try eva.setPassphrase(phrase()) }
  }

  @Test func ofAnEarlierLoginIsOfNoUse() throws {
    let test = try TestVault()
    let vault = try test.open()
    let former = try vault.logIn("eva")
    try former.setPassphrase(phrase())
    try former.logOut()
    let eva = try vault.logIn("eva")
    #expect(try !eva.hasPassphrase)
    expect(.passphraseNotSet) { try eva.store(Data([1]), in: .genome) }
  }

  @Test func guardsSensitiveDataWhereThereIsNoRecipe() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let message = VaultRecord<String>("message", .message)
    #expect(try eva.vault.explain(message).key == .passphrase)
    expect(.passphraseNotSet) { try eva.store("hello", in: message) }
  }

  @Test func doesNotGuardConsumerGradeData() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store("text", in: .note)
    eva.lock()
    #expect(try eva.value(in: .note) == "text")
  }
}
