import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A passcode that can be guessed is refused, unless the caller allows it. The store then lists a
/// risk.
@Suite struct WeakPasscodeTests {
  private static let strict = Keybag.Options(kdf: .forTesting)

  private func create(
    _ passcode: String, _ options: Keybag.Options = strict
  ) throws -> MemoryStorage {
    let storage = MemoryStorage()
    _ = try Keybag.create(
      in: storage, device: MemoryDeviceKey(),
      passcode: SecretBox(SecretBytes(utf8: passcode)), options: options)
    return storage
  }

  @Test(arguments: ["1", "12345", "pässe", "ключи", "🔑🔑🔑🔑🔑"])
  func aShortOneIsRefused(_ passcode: String) throws {
    let error = try #require(thrown { try create(passcode).names })
    #expect(error.code == .invalidArgument && error.remedy.contains("--weak-passcode"))
    let store = try MemoryStore()
    #expect(
      refusal { try store.keybag.setPasscode(SecretBytes(utf8: passcode), options: Self.strict) }
        == .invalidArgument)
    #expect(!store.keybag.hasPasscode)
    let other = try MemoryStore(passcode: "1234")
    #expect(
      refusal {
        try other.keybag.changePasscode(
          from: SecretBytes(utf8: "1234"), to: SecretBytes(utf8: passcode))
      } == .invalidArgument)
    #expect(try other.keybag.failedAttempts() == 0)
    try other.open().unlock("1234")
    // Control: it is accepted if the caller allows it.
    #expect(try create(passcode, .forTesting()).names == ["keybag"])
  }

  @Test(arguments: ["123456", "pässer", "ключик", "🔑🔑🔑🔑🔑🔑"])
  func aLongerOneIsAccepted(_ passcode: String) throws {
    #expect(try create(passcode).names == ["keybag"])
  }

  @Test func bytesThatAreNoTextCountAsBytes() throws {
    let store = try MemoryStore()
    let passcode = Data([0xff, 0xfe, 0xff, 0xfe, 0xff])
    #expect(
      refusal { try store.keybag.setPasscode(SecretBytes(passcode), options: Self.strict) }
        == .invalidArgument)
    try store.keybag.setPasscode(SecretBytes(passcode + [0xfe]), options: Self.strict)
  }

  @Test func theStoreSaysSo() throws {
    func isRisk(_ keybag: Keybag) -> Bool { keybag.risks.contains { $0.id == "weak-passcode" } }
    let store = try MemoryStore(passcode: "1234")
    #expect(isRisk(store.keybag))
    #expect(try isRisk(store.open()))
    try store.keybag.change("1234", "a longer one")
    #expect(try !isRisk(store.open()))
    // It is long enough, but the first that is tried.
    try store.keybag.change("a longer one", "123456")
    #expect(try isRisk(store.open()))
    try store.keybag.change("123456", "839201")
    #expect(try !isRisk(store.open()))
    try store.keybag.change("839201", "short")
    #expect(try isRisk(store.open()))
    try store.keybag.remove("short")
    #expect(try !isRisk(store.open()))
    try store.keybag.set("1234")
    #expect(try isRisk(store.open()))
  }
}
