import AtRest
import Foundation
import Testing

/// The sample of docs/Vault.md for a session. Between the marks is what the page shows.
@Suite struct SessionSamples {
  @Test func useASession() throws {
    let test = try TestVault()
    let vault = try test.open()
    let phrase = SecretBytes(utf8: "wren under 7 copper kettles")
    let passcode = SecretBytes(utf8: "1234")
    let card = Data("4111 1111".utf8)
    // sample: use a session
    let account = try vault.logIn("eva")
    try account.setPassphrase(phrase)  // once, for highly sensitive data
    let record = VaultRecord<Data>("card", .paymentCard, keep: Retention(idle: .seconds(86_400)))
    try account.store(card, in: record)

    vault.lock()  // when the application leaves the foreground
    do {
      _ = try account.value(in: record)
    } catch let error as AtRestError where error.refusal == .locked {
      try vault.unlock(passcode: passcode)  // vault.unlock() if no passcode is set
    }
    do {
      _ = try account.value(in: record)
    } catch AtRestError.Code.passphraseRequired {
      try account.unlock(passphrase: phrase)  // or set options.askPassphrase
    }
    let read = try account.value(in: record)
    try account.logOut()
    // sample: end
    #expect(read == card)
  }

  @Test func aStoreWithoutAPasscodeIsUnlockedWithoutOne() throws {
    let test = try TestVault(passcode: nil)
    let vault = try test.open()
    vault.lock()
    #expect(!vault.isUnlocked)
    try vault.unlock()
    #expect(vault.isUnlocked)
  }
}
