import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import CryptoKit
import Foundation
import Testing

/// The `dataRepresentation` of a key opens on the device that made it, and nowhere else.
@Suite struct RepresentationTests {
  @Test(arguments: [false, true]) func itOpensAgain(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { device in
      let key = try SigningKey()
      let again = try SigningKey(dataRepresentation: key.dataRepresentation)
      #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
      #expect(again.dataRepresentation == key.dataRepresentation)
      #expect(
        key.publicKey.isValidSignature(try again.signature(for: message), for: message))
      try device.restart()
      try device.unlock()
      #expect(try signs(SigningKey(dataRepresentation: key.dataRepresentation)))
    }
  }

  @Test func itOpensWithAnotherKeychainOfTheSameStoreOnly() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    // Each closure has its own objects, as a process of its own has.
    func run<Result>(_ store: String, _ device: String, _ body: () throws -> Result) throws
      -> Result
    {
      let store = folder.appendingPathComponent(store)
      let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent(device))
      let options = Keybag.Options(kdf: .forTesting)
      let keybag =
        FileManager.default.fileExists(atPath: store.path)
        ? try Keybag.open(at: store, device: device)
        : try Keybag.create(at: store, device: device, options: options)
      if keybag.lockState != .unlocked { try keybag.unlock() }
      let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
      defer { keychain.close() }
      let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
      return try DefaultKeychain.$taskSource.withValue(source) { try body() }
    }
    let made = try run("store", "device") { try SigningKey().dataRepresentation }
    #expect(try run("store", "device") { try signs(SigningKey(dataRepresentation: made)) })
    let elsewhere = try run("other", "device2") {
      refusal { try SigningKey(dataRepresentation: made) }
    }
    #expect(elsewhere == "other-device")
    let beside = try run("beside", "device") {
      refusal { try SigningKey(dataRepresentation: made) }
    }
    #expect(beside == "other-store")
  }

  @Test(arguments: [false, true]) func anotherDeviceRefusesIt(isInHardware: Bool) throws {
    let one = try SimulatedDevice(hasHardwareKeys: isInHardware)
    let other = try SimulatedDevice(hasHardwareKeys: isInHardware)
    let made = try one.run { try SigningKey().dataRepresentation }
    #expect(other.run { refusal { try SigningKey(dataRepresentation: made) } } == "other-device")
    #expect(one.run { refusal { try SigningKey(dataRepresentation: made) } } == nil)
  }

  @Test(arguments: [false, true]) func anErasedDeviceRefusesIt(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { device in
      let key = try SigningKey()
      try device.erase()
      #expect(
        refusal { try SigningKey(dataRepresentation: key.dataRepresentation) } == "other-store")
      #expect(refusal { try key.signature(for: message) } == "wiped")
    }
  }

  @Test(arguments: [false, true]) func everyModifiedByteIsFound(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { _ in
      let made = try SigningKey(
        accessControl: accessControl([.privateKeyUsage, .devicePasscode])
      ).dataRepresentation
      for index in made.indices {
        var changed = made
        changed[index] ^= 1
        #expect(refusal { try SigningKey(dataRepresentation: changed) } != nil, "byte \(index)")
      }
      for count in [0, 1, 8, 40, made.count - 1] {
        #expect(
          refusal { try SigningKey(dataRepresentation: made.prefix(count)) } == "damaged")
      }
      #expect(refusal { try SigningKey(dataRepresentation: made + [0]) } == "damaged")
      // A slice has other indices.
      #expect(refusal { try SigningKey(dataRepresentation: (Data([7]) + made).dropFirst()) } == nil)
    }
  }

  @Test func aKeyServesOnePurpose() throws {
    try onDevice { _ in
      let signing = try SigningKey().dataRepresentation
      let agreement = try AgreementKey().dataRepresentation
      #expect(refusal { try AgreementKey(dataRepresentation: signing) } == "invalid-argument")
      #expect(refusal { try SigningKey(dataRepresentation: agreement) } == "invalid-argument")
      #expect(
        refusal {
          try SigningKey(dataRepresentation: P256.Signing.PrivateKey().rawRepresentation)
        } == "damaged")
    }
  }

  @Test func itOutlivesAFirstPasscodeAndChangesOfIt() throws {
    let device = try SimulatedDevice()
    try device.run {
      let made = try SigningKey().dataRepresentation
      try device.setPasscode("1234")
      #expect(try signs(SigningKey(dataRepresentation: made)))
      try device.setPasscode("5678")
      #expect(try signs(SigningKey(dataRepresentation: made)))
    }
  }

  @Test func itDoesNotContainThePrivateHalf() throws {
    try onDevice { device in
      let made = try SigningKey().dataRepresentation
      let keychain = try device.keychain()
      let key = try keychain.enclaveKey(made, for: .signing)
      try keychain.withPrivateKey(of: key, context: AuthenticationContext()) {
        try $0.withSoftwareKey {
          let scalar = $0.storage.withUnsafeBytes { Data($0) }
          #expect(scalar.count == 32 && made.range(of: scalar) == nil)
        }
      }
    }
  }
}
