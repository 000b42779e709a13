import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests contexts that are passed to Keychain Services.
@Suite struct KeychainServicesTests {
  @Test func anEvaluatedContextIsNotAskedAgain() async throws {
    let device = try phone()
    await device.run {
      let item = Guarded(flags: .userPresence)
      #expect(item.add() == errSecSuccess)
      let context = LAContext()
      #expect(await outcome(context) == nil)
      #expect(item.read(context) == errSecSuccess)
      #expect(device.user.prompts == [.biometry(reason: "Pay")])
      // Control: with another context, the user is asked.
      #expect(item.read(LAContext()) == errSecSuccess)
      #expect(device.user.prompts.count == 2)
    }
  }

  @Test(arguments: [.userPresence, .biometryAny, .devicePasscode] as [SecAccessControlCreateFlags])
  func whatOneDeviceWasShownCountsOnNoOther(flags: SecAccessControlCreateFlags) async throws {
    let item = Guarded(flags: flags)
    let context = LAContext()
    let first = try phone()
    first.run { #expect(item.add() == errSecSuccess && item.read(context) == errSecSuccess) }
    let second = try phone()
    second.user.will(.cancel)
    second.run {
      #expect(item.add() == errSecSuccess)
      #expect(item.read(context) == errSecUserCanceled)
    }
    // Control: on the first device, the context is still valid.
    first.run { #expect(item.read(context) == errSecSuccess) }
    #expect(first.user.prompts.count == 1)
  }

  @Test func presenceShownBeforeThePasscodeWasRemovedCountsNoMore() throws {
    let device = try SimulatedDevice(passcode: "1234")
    try device.run {
      let item = Guarded(flags: .userPresence)
      let context = LAContext()
      #expect(item.add() == errSecSuccess && item.read(context) == errSecSuccess)
      try device.removePasscode()
      #expect(item.read(context) == errSecAuthFailed)
    }
  }

  @Test func thePromptSaysTheReasonUnlessTheCallHasOne() async throws {
    let device = try phone()
    device.run {
      let item = Guarded(flags: .biometryAny)
      #expect(item.add() == errSecSuccess)
      let context = LAContext()
      context.localizedReason = "Open the safe"
      #expect(item.read(context) == errSecSuccess)
      let other = LAContext()
      other.localizedReason = "Open the safe"
      #expect(item.read(other, prompt: "Open the door") == errSecSuccess)
    }
    #expect(
      device.user.prompts
        == [.biometry(reason: "Open the safe"), .biometry(reason: "Open the door")])
  }

  @Test func withInteractionForbiddenTheStatusSaysSo() async throws {
    let device = try phone()
    await device.run {
      let item = Guarded(flags: .userPresence)
      #expect(item.add() == errSecSuccess)
      let context = LAContext()
      context.interactionNotAllowed = true
      #expect(item.read(context) == errSecInteractionNotAllowed)
      #expect(device.user.prompts.isEmpty)
      context.interactionNotAllowed = false
      #expect(await outcome(context) == nil)
      context.interactionNotAllowed = true
      #expect(item.read(context) == errSecSuccess)
    }
  }

  @Test func answersHaveTheirStatus() throws {
    let device = try phone()
    device.run {
      let item = Guarded(flags: .biometryAny)
      #expect(item.add() == errSecSuccess)
      device.user.will(.cancel)
      #expect(item.read(nil) == errSecUserCanceled)
      device.user.will(.fail)
      for _ in 1...5 { #expect(item.read(nil) == errSecAuthFailed) }
      device.user.will(.comply)
      #expect(item.read(nil) == errSecAuthFailed, "Biometry is locked out.")
      #expect(device.user.prompts.count == 6)
      try? device.unlock()
      #expect(item.read(nil) == errSecSuccess)
    }
  }

  @Test func aCredentialIsTheApplicationPassword() throws {
    let device = try phone()
    device.run {
      let item = Guarded(flags: .applicationPassword)
      let context = LAContext()
      #expect(!context.isCredentialSet(.applicationPassword))
      #expect(context.setCredential(Data("open sesame".utf8), type: .applicationPassword))
      #expect(context.isCredentialSet(.applicationPassword))
      #expect(item.add(context) == errSecSuccess)
      #expect(item.read(context) == errSecSuccess)
      let wrong = LAContext()
      #expect(wrong.setCredential(Data("open barley".utf8), type: .applicationPassword))
      #expect(item.read(wrong) == errSecAuthFailed)
      #expect(context.setCredential(nil, type: .applicationPassword))
      #expect(!context.isCredentialSet(.applicationPassword))
      #expect(!context.setCredential(Data(), type: .smartCardPIN))
      #expect(!context.isCredentialSet(.smartCardPIN))
    }
  }

  @Test func anAccessControlIsEvaluatedForAnOperation() async throws {
    let device = try phone()
    await device.run {
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .devicePasscode, .and], nil)!
      let context = LAContext()
      func evaluate(_ operation: LAAccessControlOperation) async -> LAError.Code? {
        await outcome {
          try await context.evaluateAccessControl(
            control, operation: operation, localizedReason: "Pay")
        }
      }
      #expect(await evaluate(.createItem) == nil)
      #expect(device.user.prompts.isEmpty)
      device.user.will(.cancel)
      #expect(await evaluate(.useItem) == .userCancel)
      device.user.will(.comply)
      device.user.forgetPrompts()
      #expect(await evaluate(.useItem) == nil)
      #expect(device.user.prompts == [.biometry(reason: "Pay"), .passcode(reason: "Pay")])
      let item = Guarded(flags: [.biometryAny, .devicePasscode, .and])
      #expect(item.add() == errSecSuccess && item.read(context) == errSecSuccess)
      #expect(device.user.prompts.count == 2)
    }
  }
}
