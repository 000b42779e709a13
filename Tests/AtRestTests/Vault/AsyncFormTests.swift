import AtRest
import AtRestSimulation
import Dispatch
import Foundation
import Synchronization
import Testing

/// The asynchronous forms of the Vault's calls, and closures in the background, leave the caller's actor
/// free.
@Suite @MainActor struct AsyncFormTests {
  private func vault(_ test: TestVault) async throws -> Vault {
    try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
  }

  @Test func ofTheVault() async throws {
    let test = try TestVault()
    let vault = try await vault(test)
    _ = try await vault.logIn("eva")
    #expect(try await vault.background { try $0.accounts } == ["eva"])
    #expect(try await vault.background { try $0.device }.account == nil)
    #expect(try await vault.background { try $0.purge() } == 0)
    test.device.lock()
    try await vault.unlock(passcode: SecretBytes(utf8: "1234"))
    #expect(vault.isUnlocked)
    try await vault.background { try $0.wipe() }
    await #expect(throws: AtRestError.self) { try await vault.background { try $0.accounts } }
  }

  @Test func ofACompartment() async throws {
    let test = try TestVault()
    let eva = try await vault(test).logIn("eva")
    #expect(try !eva.hasPassphrase)
    try await eva.setPassphrase(phrase())
    #expect(try eva.hasPassphrase)
    try await eva.store("text", in: .note)
    #expect(try await eva.background { try $0.contents }.map(\.name) == ["note"])
    #expect(try await eva.background { try $0.report() }.entries.count == 3)
    #expect(try await eva.background { try $0.remove("note") })
    #expect(try eva.contents.isEmpty)
  }

  @Test func ofPreferences() async throws {
    let test = try TestVault()
    let preferences = try await vault(test).background { try $0.device }.preferences
    try await preferences.background { try $0.set(["a"], forKey: "list") }
    // The result need not be Sendable.
    let list = try await preferences.background { try $0.array(forKey: "list") }
    #expect(list as? [String] == ["a"])
    let key = PreferenceKey("typed", default: 1)
    try await preferences.set(2, for: key)
    #expect(try await preferences.value(for: key) == 2)
  }

  @Test func ofTheKeysOfAnAccount() async throws {
    let test = try TestVault()
    let eva = try await vault(test).logIn("eva")
    let name = try await eva.pseudonyms.background {
      try $0.pseudonym(for: "7", to: "ads.example")
    }
    #expect(try eva.pseudonyms.pseudonym(for: "7", to: "ads.example") == name)
    let stamped = try await eva.stamper().stamp([1], name: "limits")
    #expect(try await eva.stamper().background { try $0.open(stamped, name: "limits") } == [1])
    let keys = eva.envelopeKeys(named: "documents")
    let envelope = try await keys.background { try $0.seal(Data([1]), context: Data()) }
    // The result may be a secret, which cannot be copied.
    let opened = try await keys.background { try $0.open(envelope, context: Data()) }
    #expect(Data(copying: opened) == Data([1]))
  }

  @Test func aClosureThrowsItsError() async throws {
    let vault = try await vault(TestVault())
    await #expect(throws: CancellationError.self) {
      try await vault.background { _ in throw CancellationError() }
    }
  }

  @Test func runOffTheMainActor() async throws {
    let test = try TestVault()
    let threads = Threads()
    test.options.onLogout = { threads.note() }
    let vault = try await vault(test)
    let (eva, ada) = (try await vault.logIn("eva"), try await vault.logIn("ada"))
    try await eva.logOut()
    #expect(threads.areMain == [false])
    // Control: the synchronous form.
    try synchronously { try ada.logOut() }
    #expect(threads.areMain == [false, true])
  }

  private func synchronously(_ body: () throws -> Void) rethrows { try body() }

  private final class Threads: Sendable {
    private let main = Mutex<[Bool]>([])
    var areMain: [Bool] { main.withLock { $0 } }
    private let key = DispatchSpecificKey<Bool>()
    init() { DispatchQueue.main.setSpecific(key: key, value: true) }
    func note() { main.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) } }
  }
}
