import AtRest
import AtRestSimulation
import Dispatch
import Foundation
import Synchronization
import Testing

/// Each call of the Vault that touches a disk has an asynchronous form, which leaves the caller's
/// actor free.
@Suite @MainActor struct AsyncFormTests {
  private func vault(_ test: TestVault) async throws -> Vault {
    try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
  }

  @Test func ofTheVault() async throws {
    let test = try TestVault()
    let vault = try await vault(test)
    _ = try await vault.logIn("eva")
    #expect(try await vault.accounts() == ["eva"])
    #expect(try await vault.device().account == nil)
    #expect(try await vault.risks() == vault.risks)
    _ = try await vault.checkRuntime()
    try await vault.trustSystemClock()
    try await vault.clearResponseCaches()
    #expect(try await vault.purge() == 0)
    test.device.lock()
    try await vault.unlock(passcode: SecretBytes(utf8: "1234"))
    #expect(vault.isUnlocked)
    try await vault.wipe()
    await #expect(throws: AtRestError.self) { _ = try await vault.accounts() }
  }

  @Test func ofACompartment() async throws {
    let test = try TestVault()
    let eva = try await vault(test).logIn("eva")
    #expect(try await !eva.hasPassphrase())
    try await eva.setPassphrase(phrase())
    #expect(try await eva.hasPassphrase())
    try await eva.store("text", in: .note)
    #expect(try await eva.contents().map(\.name) == ["note"])
    #expect(try await eva.report().entries.count == 3)
    #expect(try await eva.remove("note"))
    #expect(try await eva.contents().isEmpty)
  }

  @Test func ofPreferences() async throws {
    let test = try TestVault()
    let preferences = try await vault(test).device().preferences
    try await preferences.set(7, forKey: "n")
    try await preferences.set(["a"], forKey: "list")
    try await preferences.set(["k": "v"], forKey: "map")
    try await preferences.set(Data([1]), forKey: "data")
    try await preferences.set(Date(timeIntervalSince1970: 5), forKey: "date")
    #expect(try await preferences.object(forKey: "n") as? Int == 7)
    #expect(try await preferences.integer(forKey: "n") == 7)
    #expect(try await preferences.double(forKey: "n") == 7)
    #expect(try await preferences.bool(forKey: "n"))
    #expect(try await preferences.string(forKey: "n") == "7")
    #expect(try await preferences.array(forKey: "list") as? [String] == ["a"])
    #expect(try await preferences.stringArray(forKey: "list") == ["a"])
    #expect(try await preferences.dictionary(forKey: "map") as? [String: String] == ["k": "v"])
    #expect(try await preferences.data(forKey: "data") == Data([1]))
    #expect(try await preferences.date(forKey: "date") == Date(timeIntervalSince1970: 5))
    let key = PreferenceKey("typed", default: 1)
    try await preferences.set(2, for: key)
    #expect(try await preferences.value(for: key) == 2)
    #expect(try await preferences.dictionaryRepresentation().count == 6)
    try await preferences.removeObject(forKey: "n")
    #expect(try await preferences.object(forKey: "n") == nil)
    let file = test.folder.appendingPathComponent("com.example.plist")
    try PropertyListSerialization.data(fromPropertyList: ["b": 2], format: .xml, options: 0)
      .write(to: file)
    #expect(try await preferences.importPropertyList(at: file) == ["b"])
  }

  @Test func ofTheKeysOfAnAccount() async throws {
    let test = try TestVault()
    let eva = try await vault(test).logIn("eva")
    let name = try await eva.pseudonyms.pseudonym(for: "7", to: "ads.example")
    try await eva.pseudonyms.rotate(for: "ads.example")
    #expect(try await eva.pseudonyms.pseudonym(for: "7", to: "ads.example") != name)
    try await eva.pseudonyms.forget("ads.example")
    try await eva.pseudonyms.forgetAll()
    let stamped = try await eva.stamper().stamp([1], name: "limits")
    #expect(try await eva.stamper().open(stamped, name: "limits") == [1])
    let keys = eva.envelopeKeys(named: "documents")
    let envelope = try await keys.seal(Data([1]), context: Data())
    #expect(try await Data(copying: keys.open(envelope, context: Data())) == Data([1]))
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
