import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests the key of a stored right, which is used only while the right is authorized.
@Suite struct RightKeyTests {
  private let store = LARightStore.shared
  private let message = Data("challenge".utf8)

  private func device(hardware: Bool = false) throws -> SimulatedDevice {
    let device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: hardware)
    device.enrolBiometry()
    return device
  }

  private func saved(
    _ requirement: LAAuthenticationRequirement = .default, as name: String = "server"
  ) async throws -> LAPersistedRight {
    try await store.saveRight(LARight(requirement: requirement), identifier: name)
  }

  @Test(arguments: [false, true]) func aSignatureNeedsTheRight(hardware: Bool) async throws {
    let device = try device(hardware: hardware)
    try await device.run {
      let bytes = try await saved().key.publicKey.bytes
      #expect(bytes.count == 65)
      let right = try await store.right(forIdentifier: "server")
      #expect(try await right.key.publicKey.bytes == bytes)
      #expect(await code { try await sign(right) } == .notInteractive)
      #expect(device.user.prompts.isEmpty)
      try await right.authorize(localizedReason: "Sign in")
      let signature = try await sign(right)
      #expect(device.user.prompts.count == 1)
      try await right.key.publicKey.verify(message, signature: signature, algorithm: ecdsa)
      #expect(isValid(signature, bytes))
      await right.deauthorize()
      #expect(await code { try await sign(right) } == .notInteractive)
    }
  }

  @Test func aKeyInHardwareNeedsTheHardware() async throws {
    let device = try device(hardware: true)
    try await device.run {
      let right = try await saved()
      try await right.authorize(localizedReason: "Sign in")
      _ = try await sign(right)
      device.isHardwareAvailable = false
      #expect(await code { try await sign(right) } == .biometryNotAvailable)
    }
    // Control: a device without hardware keeps the key itself.
    let plain = try self.device()
    try await plain.run {
      let right = try await saved()
      try await right.authorize(localizedReason: "Sign in")
      plain.isHardwareAvailable = false
      _ = try await sign(right)
    }
  }

  @Test func anotherFingerDoesNotUseTheKey() async throws {
    let device = try device()
    try await device.run {
      for (name, requirement) in [
        ("current", LAAuthenticationRequirement.biometryCurrentSet), ("any", .biometry),
      ] {
        let right = try await saved(requirement, as: name)
        try await right.authorize(localizedReason: "Sign in")
        _ = try await sign(right)
      }
      device.enrolBiometry()
      let current = try await store.right(forIdentifier: "current")
      await #expect(throws: LAError.self) { try await current.authorize(localizedReason: "Again") }
      await #expect(throws: LAError.self) { try await sign(current) }
      // Control: a key for any finger.
      let any = try await store.right(forIdentifier: "any")
      try await any.authorize(localizedReason: "Again")
      _ = try await sign(any)
    }
  }

  @Test func aRightThatAnotherFingerAuthorizedDoesNotServe() async throws {
    let device = try device()
    try await device.run {
      let right = try await saved(.biometryCurrentSet)
      try await right.authorize(localizedReason: "Sign in")
      _ = try await sign(right)
      device.enrolBiometry()
      await #expect(throws: LAError.self) { try await sign(right) }
    }
  }

  @Test func aLockedDeviceKeepsThePublicKeyOnly() async throws {
    let device = try device()
    try await device.run {
      let right = try await saved()
      try await right.authorize(localizedReason: "Sign in")
      let signature = try await sign(right)
      device.lock()
      try await right.key.publicKey.verify(message, signature: signature, algorithm: ecdsa)
      #expect(await code { try await sign(right) } == .notInteractive)
      try device.unlock()
      _ = try await sign(right)
    }
  }

  @Test func eachRightHasAKeyOfItsOwn() async throws {
    let device = try device()
    try await device.run {
      let first = try await saved().key.publicKey.bytes
      #expect(try await saved(as: "other").key.publicKey.bytes != first)
      // A right that takes the place of another one has a new key.
      #expect(try await saved().key.publicKey.bytes != first)
    }
  }

  @Test func aRemovedRightHasNoKey() async throws {
    let device = try device()
    try await device.run {
      let right = try await saved()
      let kept = try await saved(as: "kept")
      for right in [right, kept] { try await right.authorize(localizedReason: "Sign in") }
      try await store.removeRight(right)
      #expect(await code { try await sign(right) } == .invalidContext)
      _ = try await sign(kept)
      try await store.removeAllRights()
      #expect(await code { try await sign(kept) } == .invalidContext)
      #expect(try device.keychain().count() == 0)
    }
  }

  @Test func theKeyIsNoneOfTheApplications() async throws {
    let device = try device()
    try await device.run {
      let right = try await saved()
      let keys = [kSecClass: kSecClassKey] as [CFString: Any] as CFDictionary
      #expect(SecItemCopyMatching(keys, nil) == errSecItemNotFound)
      #expect(SecItemDelete(keys) == errSecItemNotFound)
      try await right.authorize(localizedReason: "Sign in")
      _ = try await sign(right)
    }
  }

  @Test func dataIsEncryptedToTheKey() async throws {
    let device = try device()
    try await device.run {
      let right = try await saved()
      let algorithm = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
      let box = try await right.key.publicKey.encrypt(message, algorithm: algorithm)
      #expect(
        await code { try await right.key.decrypt(box, algorithm: algorithm) } == .notInteractive)
      try await right.authorize(localizedReason: "Open")
      #expect(try await right.key.decrypt(box, algorithm: algorithm) == message)
    }
  }

  @Test func twoKeysAgree() async throws {
    let device = try device()
    try await device.run {
      let ours = try await saved(as: "ours")
      let theirs = try await saved(as: "theirs")
      let algorithm = SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256
      func secret(_ right: LAPersistedRight, with other: LAPersistedRight) async throws -> Data {
        try await right.key.exchangeKeys(
          publicKey: other.key.publicKey.bytes, algorithm: algorithm,
          parameters: [
            SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 40,
            SecKeyKeyExchangeParameter.sharedInfo: Data([1]),
          ])
      }
      #expect(await code { try await secret(ours, with: theirs) } == .notInteractive)
      for right in [ours, theirs] { try await right.authorize(localizedReason: "Agree") }
      let first = try await secret(ours, with: theirs)
      #expect(first.count == 40)
      #expect(try await secret(theirs, with: ours) == first)
      #expect(try await secret(ours, with: ours) != first)
    }
  }

  private let ecdsa = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

  @discardableResult
  private func sign(_ right: LAPersistedRight) async throws -> Data {
    try await right.key.sign(message, algorithm: ecdsa)
  }

  private func code(_ body: () async throws -> Data) async -> LAError.Code? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? LAError)?.code
    }
  }

  /// Verifies a signature as a server does, which has only the bytes of the key.
  private func isValid(_ signature: Data, _ bytes: Data) -> Bool {
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    guard let key = SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil) else {
      return false
    }
    return SecKeyVerifySignature(key, ecdsa, message as CFData, signature as CFData, nil)
  }
}
