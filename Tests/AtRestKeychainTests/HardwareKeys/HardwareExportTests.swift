import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// The stored form of a hardware key is never taken for a private key in memory, nor the reverse.
@Suite struct HardwareExportTests {
  let device: SimulatedDevice
  let keychain: Keychain
  let message = Data("an order".utf8)

  init() throws {
    device = try SimulatedDevice(hasHardwareKeys: true)
    keychain = try device.keychain()
  }

  @Test func noCallReturnsThePrivateHalf() throws {
    try keychain.createHardwareKey(tag: "k")
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    #expect(item.isHardwareKey)
    #expect(refusal { try keychain.exportKey(tag: "k").algorithm } == .notPermitted)
    #expect(refusal { try keychain.secret(for: item.primaryKey).count } == .notPermitted)
    #expect(refusal { try keychain.secret(for: item.reference).count } == .notPermitted)
    #expect(
      refusal { try keychain.items(matching: KeychainQuery(.key), secrets: true) }
        == .notPermitted)
    #expect(
      refusal {
        try keychain.getOrCreate(item.primaryKey) { SecretBytes(utf8: "x") }.count
      } == .notPermitted)
    #expect(
      refusal {
        try keychain.withPrivateKey(item.reference, context: nil) { key in
          try key.withSoftwareKey { $0.algorithm }
        }
      } == .notPermitted)
    let key = try #require(try keychain.hardwareKey(tag: "k"))
    let form = SecretBytes(key.representation)
    #expect(refusal { try PrivateKey(importing: form).algorithm } == .invalidArgument)
    // Control: an extractable key in memory comes out.
    let publicKey = try keychain.createKey(.p256, tag: "e", isExtractable: true)
    #expect(try keychain.exportKey(tag: "e").publicKey == publicKey)
    #expect(try keychain.hardwareKey(tag: "e") == nil)
  }

  @Test func noUpdateSeparatesTheItemFromItsKey() throws {
    let publicKey = try keychain.createHardwareKey(tag: "k")
    let key = try #require(try keychain.items(matching: KeychainQuery(.key)).first).primaryKey
    let scalar = try PrivateKey.generate(.p256).rawRepresentation()
    #expect(refusal { try keychain.update(key, secret: scalar) } == .invalidArgument)
    #expect(refusal { try keychain.set(key, secret: scalar) } == .invalidArgument)
    #expect(
      refusal { try keychain.update(matching: KeychainQuery(.key), secret: scalar) }
        == .invalidArgument)
    let other = try PrivateKey.generate(.p256).publicKey.derRepresentation
    let changes: ItemAttributes = [
      .publicKey: .data(other), .tokenID: "another", .keySizeInBits: 384, .type: 42,
      .keyClass: 0, .isExtractable: true,
    ]
    for (attribute, value) in changes {
      let change = ItemChange(attributes: [attribute: value])
      #expect(refusal { try keychain.update(key, change) } != nil, "\(attribute)")
    }
    for attribute in [ItemAttribute.publicKey, .tokenID, .isExtractable] {
      #expect(
        refusal { try keychain.update(key, ItemChange(removing: [attribute])) } != nil,
        "\(attribute)")
    }
    // Control: other attributes change, and the key still signs.
    try keychain.update(key, ItemChange(attributes: [.label: "L"]))
    let signature = try keychain.sign(message, tag: "k")
    #expect(try publicKey.isValidSignature(signature, for: message))
  }

  @Test func onlyTheKeychainMarksAKey() throws {
    try keychain.createHardwareKey(tag: "k")
    let form = try #require(try keychain.hardwareKey(tag: "k"))
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    try keychain.deleteKey(tag: "k")
    // The same attributes and value, added by a caller, are no hardware key.
    try keychain.add(
      item.primaryKey, secret: SecretBytes(form.representation), attributes: item.attributes,
      protection: item.protection)
    #expect(try keychain.items(matching: KeychainQuery(.key)).first?.isHardwareKey == false)
    #expect(try keychain.hardwareKey(tag: "k") == nil)
    #expect(refusal { try keychain.sign(message, tag: "k") } == .invalidArgument)
  }
}
