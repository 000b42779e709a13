import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

@Suite struct KeyPairTests {
  let device: SimulatedDevice
  let keychain: Keychain
  let message = Data("an order".utf8)

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    keychain = try device.keychain()
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? AtRestError)?.code }
  }

  @Test(arguments: ["p256", "p384", "p521", "ed25519", "rsa2048"])
  func aKeySignsAndItsPublicHalfVerifies(name: String) throws {
    let algorithm = try #require(KeyAlgorithm(name: name))
    let publicKey = try keychain.createKey(algorithm, tag: "k")
    let signature = try keychain.sign(message, tag: "k")
    #expect(try publicKey.isValidSignature(signature, for: message))
    #expect(try keychain.publicKey(tag: "k") == publicKey)
    // Control: another message does not verify.
    #expect(try !publicKey.isValidSignature(signature, for: message + [0]))
  }

  @Test func twoKeysAgree() throws {
    let mine = try keychain.createKey(.x25519, tag: "mine")
    let theirs = try keychain.createKey(.x25519, tag: "theirs")
    let here = try keychain.sharedSecret(with: theirs, tag: "mine")
    let there = try keychain.sharedSecret(with: mine, tag: "theirs")
    let same = here.isEqual(to: there)
    #expect(same)
  }

  @Test func aTagIsUniqueInItsGroup() throws {
    try keychain.createKey(.p256, tag: "k")
    #expect(code { try keychain.createKey(.ed25519, tag: "k") } == .duplicate)
    #expect(try keychain.items(matching: KeychainQuery(.key)).count == 1)
  }

  @Test func aKeyMadeNotToLeaveDoesNotLeaveByAnyDoor() throws {
    try keychain.createKey(.p256, tag: "k")
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    #expect(code { _ = try keychain.exportKey(tag: "k").algorithm } == .notPermitted)
    #expect(code { _ = try keychain.secret(for: item.primaryKey).count } == .notPermitted)
    #expect(code { _ = try keychain.secret(for: item.reference).count } == .notPermitted)
    #expect(
      code { _ = try keychain.items(matching: KeychainQuery(.key), secrets: true) } == .notPermitted
    )
    #expect(
      code {
        try keychain.update(item.primaryKey, ItemChange(attributes: [.isExtractable: true]))
      } == .notPermitted)
    #expect(
      code { try keychain.update(item.primaryKey, ItemChange(removing: [.isExtractable])) }
        == .notPermitted)
    // Control: an extractable one does.
    let publicKey = try keychain.createKey(.p256, tag: "e", isExtractable: true)
    let exported = try keychain.exportKey(tag: "e")
    #expect(exported.publicKey == publicKey)
  }

  @Test func privateKeyUsageSignsAndDoesNotDecrypt() throws {
    let publicKey = try keychain.createKey(
      .rsa2048, tag: "k", isExtractable: true,
      protection: .controlled(.privateKeyUsage(.whenUnlocked)))
    _ = try keychain.sign(message, tag: "k")
    let sealed = try publicKey.encrypt(SecretBytes(utf8: "x"))
    #expect(code { _ = try keychain.decrypt(sealed, tag: "k").count } == .notPermitted)
    #expect(code { _ = try keychain.exportKey(tag: "k").algorithm } == .notPermitted)
    try keychain.createKey(.rsa2048, tag: "d")
    let control = try keychain.publicKey(tag: "d").encrypt(SecretBytes(utf8: "x"))
    #expect(String(copying: try keychain.decrypt(control, tag: "d")) == "x")
  }

  @Test func aLockedKeyIsLockedAndNotMissing() throws {
    try keychain.createKey(.p256, tag: "k")
    device.lock()
    #expect(code { _ = try keychain.sign(message, tag: "k") } == .locked)
    #expect(code { _ = try keychain.publicKey(tag: "k") } == .locked)
    #expect(code { _ = try keychain.sign(message, tag: "other") } == .notFound)
  }

  @Test func anImportedKeySignsAsTheSameKey() throws {
    let key = try PrivateKey.generate(.ed25519)
    let publicKey = try keychain.importKey(key, tag: "k", label: "Deploy")
    #expect(publicKey == key.publicKey)
    #expect(try keychain.items(matching: KeychainQuery(.key, [.label: "Deploy"])).count == 1)
    try keychain.deleteKey(tag: "k")
    #expect(code { try keychain.deleteKey(tag: "k") } == .notFound)
  }
}
