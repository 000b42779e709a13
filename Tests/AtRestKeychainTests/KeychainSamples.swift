import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// The samples of the README, in its order.
@Suite struct ReadmeTests {
  let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")

  @Test func keepASecretFromSwift() async throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let folder = place.appendingPathComponent("store")
    let device = try FileDeviceKey(in: place.appendingPathComponent("device"))
    let passcode = SecretBytes(utf8: "four words of mine")
    _ = try Keybag.create(
      at: folder, device: device, passcode: passcode, options: .init(kdf: .forTesting))

    let keybag = try Keybag.open(at: folder, device: device)
    try keybag.unlock(passcode: passcode)
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    try await keychain.add(
      token, secret: SecretBytes(utf8: "s3cr3t"), attributes: [.label: "API"])
    let secret = try await keychain.secret(for: token)
    #expect(String(copying: secret) == "s3cr3t")
  }

  @Test func makeAKeyWhenMissing() throws {
    let keychain = try SimulatedDevice().keychain()
    let first = try keychain.getOrCreate(token) { SecretBytes.random(count: 32) }
    let second = try keychain.getOrCreate(token) { SecretBytes.random(count: 32) }
    let same = first.isEqual(to: second)
    #expect(same)
  }

  @Test func askForTheUser() throws {
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    let keychain = try device.keychain()
    try keychain.add(
      token, secret: SecretBytes(utf8: "4111"),
      protection: .controlled(
        AccessControl(.whenUnlockedThisDeviceOnly, .devicePasscodeOr(.currentSet))))
    let context = AuthenticationContext(reason: "Pay the invoice")
    for _ in 0..<3 { _ = try keychain.secret(for: token, context: context).count }
    #expect(device.user.prompts == [.biometry(reason: "Pay the invoice")])
  }

  @Test func changeManyThingsOrNone() throws {
    let keychain = try SimulatedDevice().keychain()
    let new = PrimaryKey.genericPassword(service: "com.example.api", account: "adam")
    try keychain.add(token, secret: SecretBytes(utf8: "x"))
    try keychain.transaction {
      try keychain.move(token, to: new)
      try keychain.update(new, ItemChange(protection: .accessible(.afterFirstUnlock)))
    }
    #expect(try keychain.item(for: new).protection == .accessible(.afterFirstUnlock))
  }

  @Test func testCodeThatUsesAKeychain() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.add(token, secret: SecretBytes(utf8: "x"))
    device.lock()
    #expect { _ = try keychain.secret(for: token).count } throws: {
      ($0 as? AtRestError)?.code == .locked
    }
  }
}
