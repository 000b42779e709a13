import AtRest
import Foundation
import Synchronization
import Testing

/// The lifetime and the permitted uses of the key derived from a passphrase.
@Suite struct KeptKeyTests {
  @Test func isNotKeptOverALockWhileItWasMade() throws {
    let test = try TestVault()
    let asked = Mutex(0)
    let locks = Mutex(false)
    let device = test.device
    test.options.askPassphrase = { _ in
      asked.withLock { $0 += 1 }
      if locks.withLock({ $0 }) {
        device.lock()
        try device.unlock()
      }
      return phrase()
    }
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data([1]), in: .genome)
    eva.lock()
    _ = try eva.value(in: .genome)
    _ = try eva.value(in: .genome)
    #expect(asked.withLock { $0 } == 1)
    eva.lock()
    locks.withLock { $0 = true }
    _ = try? eva.value(in: .genome)
    locks.withLock { $0 = false }
    _ = try eva.value(in: .genome)
    #expect(asked.withLock { $0 } == 3)
  }

  @Test func isNotLoweredBelowWhatIsUnderIt() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let weaker = "thimble 92"
    try eva.setPassphrase(phrase())
    try eva.store(Data([1]), in: .genome)
    expect(.weakPassphrase) {
      try eva.changePassphrase(from: phrase(), to: phrase(weaker), for: .sensitive)
    }
    eva.lock()
    try eva.unlock(passphrase: phrase())
    try eva.remove(VaultRecord<Data>.genome)
    try eva.changePassphrase(from: phrase(), to: phrase(weaker), for: .sensitive)
    expect(.passphraseNotSet) { try eva.store(Data([1]), in: .genome) }
  }

  @Test func isNeededForPreferencesAgain() throws {
    let test = try TestVault()
    test.options.policy[.consumerGrade].key = .passphrase
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    let preferences = eva.preferences
    try preferences.set("dark", forKey: "theme")
    #expect(try preferences.string(forKey: "theme") == "dark")
    eva.lock()
    expect(.passphraseRequired) { _ = try preferences.string(forKey: "theme") }
    try eva.unlock(passphrase: phrase())
    #expect(try preferences.string(forKey: "theme") == "dark")
  }
}
