import AtRestSimulation
import CryptoKit
import Foundation
import LocalAuthentication
import Security
import Testing

/// Access control and `LAContext` act as for the keys of `kSecAttrTokenIDSecureEnclave`.
@Suite struct AccessTests {
  @Test(arguments: [false, true]) func aLockedDeviceSignsNothing(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { device in
      let key = try SigningKey()
      let later = try SigningKey(
        accessControl: accessControl(
          .privateKeyUsage, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly))
      device.lock()
      #expect(refusal { try key.signature(for: message) } == "locked")
      #expect(try signs(later))
      // A key can be opened while the device is locked. Making one needs the class.
      let again = try SigningKey(dataRepresentation: key.dataRepresentation)
      #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
      #expect(refusal { try again.signature(for: message) } == "locked")
      #expect(refusal { try SigningKey() } == "locked")
      try device.unlock()
      #expect(try signs(key) && signs(again))
    }
  }

  @Test(arguments: [false, true]) func eachUseAsksAndMakingAKeyDoesNot(
    isInHardware: Bool
  ) throws {
    try onDevice(hasHardwareKeys: isInHardware) { device in
      device.enrolBiometry()
      let key = try SigningKey(accessControl: accessControl([.privateKeyUsage, .biometryAny]))
      #expect(device.user.prompts.isEmpty)
      #expect(try signs(key))
      #expect(try signs(key))
      #expect(device.user.prompts.count == 2)
      device.user.will(.cancel)
      #expect(refusal { try key.signature(for: message) } == "LAError -2")
      device.user.will(.fail)
      #expect(refusal { try key.signature(for: message) } == "LAError -1")
      device.user.will(.fallBack)
      #expect(refusal { try key.signature(for: message) } == "LAError -3")
      for _ in 0..<5 {
        device.user.will(.fail)
        _ = refusal { try key.signature(for: message) }
      }
      #expect(refusal { try key.signature(for: message) } == "LAError -8")
    }
  }

  @Test func aContextThatAuthenticatedIsNotAskedAgain() async throws {
    let device = try SimulatedDevice(passcode: "1234")
    try await device.run {
      let context = LAContext()
      context.localizedReason = "Sign in"
      let key = try SigningKey(
        accessControl: accessControl([.privateKeyUsage, .devicePasscode]),
        authenticationContext: context)
      #expect(try signs(key))
      #expect(device.user.prompts == [.passcode(reason: "Sign in")])
      #expect(try signs(key))
      #expect(device.user.prompts.count == 1)
      let other = LAContext()
      try await other.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
      device.user.forgetPrompts()
      let again = try SigningKey(
        dataRepresentation: key.dataRepresentation, authenticationContext: other)
      #expect(try signs(again))
      #expect(device.user.prompts.isEmpty)
      other.invalidate()
      #expect(refusal { try again.signature(for: message) } == "LAError -2")
    }
  }

  @Test func aContextThatMustNotAskIsRefused() throws {
    try onDevice { device in
      let context = LAContext()
      context.interactionNotAllowed = true
      let key = try AgreementKey(
        accessControl: accessControl([.privateKeyUsage, .userPresence]),
        authenticationContext: context)
      let other = P256.KeyAgreement.PrivateKey().publicKey
      #expect(refusal { try key.sharedSecretFromKeyAgreement(with: other) } == "LAError -1004")
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func anotherEnrolmentEndsAKeyOfTheCurrentSet() throws {
    try onDevice { device in
      device.enrolBiometry()
      let key = try SigningKey(
        accessControl: accessControl([.privateKeyUsage, .biometryCurrentSet]))
      #expect(try signs(key))
      device.enrolBiometry()
      #expect(refusal { try key.signature(for: message) } == "not-permitted")
      let again = try SigningKey(dataRepresentation: key.dataRepresentation)
      #expect(refusal { try again.signature(for: message) } == "not-permitted")
    }
  }

  @Test func anApplicationPasswordIsPartOfTheKey() throws {
    try onDevice { device in
      device.user.know(applicationPassword: "open sesame")
      let key = try SigningKey(
        accessControl: accessControl([.privateKeyUsage, .applicationPassword]))
      #expect(try signs(key))
      device.user.know(applicationPassword: "another")
      #expect(refusal { try key.signature(for: message) } == "LAError -1")
      let context = LAContext()
      #expect(context.setCredential(Data("open sesame".utf8), type: .applicationPassword))
      device.user.forgetPrompts()
      #expect(
        try signs(
          SigningKey(
            dataRepresentation: key.dataRepresentation, authenticationContext: context)))
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func impossibleAccessControlIsRefusedAtOnce() throws {
    let device = try SimulatedDevice(biometry: nil)
    device.run {
      #expect(
        refusal {
          try SigningKey(accessControl: accessControl([.privateKeyUsage, .devicePasscode]))
        } == "LAError -5")
      #expect(
        refusal {
          try SigningKey(accessControl: accessControl([.privateKeyUsage, .biometryAny]))
        } == "not-permitted")
    }
  }

  @Test func keysOfAPasscodeEndWithIt() throws {
    try onDevice { device in
      let key = try SigningKey(
        accessControl: accessControl(
          .privateKeyUsage, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly))
      #expect(try signs(key))
      try device.removePasscode()
      #expect(refusal { try key.signature(for: message) } != nil)
      try device.setPasscode("1234")
      #expect(refusal { try key.signature(for: message) } == "damaged")
    }
  }

  @Test func withoutPrivateKeyUsageAKeyIsOfNoUse() throws {
    try onDevice { device in
      let key = try SigningKey(accessControl: accessControl(.devicePasscode))
      #expect(refusal { try key.signature(for: message) } == "not-permitted")
      #expect(device.user.prompts.isEmpty)
    }
  }
}
