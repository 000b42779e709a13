import AtRest
import Bank
import Foundation
import Testing

@Suite struct LockedTests {
  @Test func aLockedPhoneShowsNothing() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    _ = try await eva.statements()
    try eva.choose("de")
    phone.device.lock()
    await expect(.locked) { _ = try eva.card(ending: "5556") }
    await expect(.locked) { _ = try await eva.statements() }
    await expect(.locked) { _ = try eva.language() }
    try phone.device.unlock()
    #expect(try await eva.statements().count == 2)
    // Locking erased the key that the passphrase protects.
    await expect(.passphraseRequired) { _ = try eva.card(ending: "5556") }
  }

  @Test func soDoesOneThatRestarted() async throws {
    let phone = try Phone()
    _ = try await phone.eva()
    try phone.device.restart()
    let bank = try phone.bank()
    await expect(.locked) { _ = try bank.customer }
    try phone.device.unlock()
    #expect(try bank.customer?.cards() == ["5556"])
  }
}
