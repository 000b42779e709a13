import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// A key that is not extractable cannot be exported through any call.
@Suite struct ExportTests {
  @Test func aKeyThatIsNotExtractableGivesNoSecret() throws {
    let keychain = try SimulatedDevice().keychain()
    let key = try PrimaryKey(.key, [.applicationTag: "k"])
    let reference = try keychain.put(key, "private", [.isExtractable: false])
    // More than once: the second read takes the fast path.
    for _ in 0..<3 {
      #expect(refusal { try keychain.text(key) } == .notPermitted)
      #expect(refusal { try keychain.text(reference) } == .notPermitted)
      #expect(
        refusal { try keychain.getOrCreate(key) { SecretBytes(utf8: "x") }.count }
          == .notPermitted)
      #expect(
        refusal { try keychain.items(matching: KeychainQuery(.key), secrets: true) }
          == .notPermitted)
    }
    #expect(try keychain.items(matching: KeychainQuery(.key)).first?.hasSecret == true)
  }

  @Test func aListWithholdsItAndGoesOn() throws {
    let keychain = try SimulatedDevice().keychain()
    let hidden = try keychain.put(
      PrimaryKey(.key, [.applicationTag: "a"]), "private", [.isExtractable: false])
    try keychain.put(PrimaryKey(.key, [.applicationTag: "b"]), "open", [.isExtractable: true])
    try keychain.put(PrimaryKey(.key, [.applicationTag: "c"]), "unsaid")
    let items = try keychain.items(matching: KeychainQuery(.key), secrets: true)
    #expect(items.map(\.text) == ["open", "unsaid"])
    #expect(items.withheld.map(\.reference) == [hidden])
    #expect(items.withheld.first?.reason.code == .notPermitted)
  }
}
