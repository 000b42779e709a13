import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// Tests the prompts that the user sees, and the results of the answers.
@Suite struct EvaluateTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics
  private let finger = ScriptedUser.Prompt.biometry(reason: "Pay")
  private let code = ScriptedUser.Prompt.passcode(reason: "Pay")

  private func evaluate(
    _ policy: LAPolicy, _ answers: (ScriptedUser) -> Void
  ) async throws -> (code: LAError.Code?, prompts: [ScriptedUser.Prompt]) {
    let device = try phone()
    answers(device.user)
    let code = await device.run { await outcome(LAContext(), policy) }
    return (code, device.user.prompts)
  }

  @Test func aFingerThatMatchesIsEnough() async throws {
    #expect(try await evaluate(biometrics) { _ in } == (nil, [finger]))
    #expect(
      try await evaluate(.deviceOwnerAuthentication) { _ in } == (nil, [finger]))
  }

  @Test func aFingerThatFailsLeavesThePasscodeWhereItMay() async throws {
    #expect(
      try await evaluate(biometrics) { $0.will(.fail) } == (.authenticationFailed, [finger]))
    #expect(
      try await evaluate(.deviceOwnerAuthentication) { $0.will(.fail, .comply) }
        == (nil, [finger, code]))
    #expect(
      try await evaluate(.deviceOwnerAuthentication) { $0.will(.fail) }
        == (.authenticationFailed, [finger, code]))
  }

  @Test func aDismissedPromptIsACancel() async throws {
    for policy in [biometrics, .deviceOwnerAuthentication] {
      #expect(try await evaluate(policy) { $0.will(.cancel) } == (.userCancel, [finger]))
    }
  }

  @Test func fallingBackIsTheApplicationsMatterOrThePasscode() async throws {
    #expect(try await evaluate(biometrics) { $0.will(.fallBack) } == (.userFallback, [finger]))
    #expect(
      try await evaluate(.deviceOwnerAuthentication) { $0.will(.fallBack) }
        == (nil, [finger, code]))
  }

  @Test func withoutAButtonNobodyFallsBack() async throws {
    let device = try phone()
    device.user.will(.fallBack)
    await device.run {
      let context = LAContext()
      context.localizedFallbackTitle = ""
      #expect(await outcome(context, biometrics) == .userCancel)
    }
  }

  @Test func fiveFailuresLockBiometryOutUntilThePasscode() async throws {
    let device = try phone()
    device.user.will(.fail)
    await device.run {
      for _ in 1...5 {
        #expect(!device.isBiometryLockedOut)
        #expect(await outcome(LAContext(), biometrics) == .authenticationFailed)
      }
      #expect(device.isBiometryLockedOut)
      device.user.will(.comply)
      #expect(refusal(LAContext(), biometrics) == .biometryLockout)
      #expect(await outcome(LAContext(), biometrics) == .biometryLockout)
      #expect(device.user.prompts.count == 5)
      // The other policy asks for the passcode directly, which ends the lockout.
      #expect(await outcome(LAContext()) == nil)
      #expect(device.user.prompts.last == code && device.user.prompts.count == 6)
      #expect(!device.isBiometryLockedOut)
      #expect(await outcome(LAContext(), biometrics) == nil)
    }
  }

  @Test func aMatchBetweenFailuresStartsTheCountAnew() async throws {
    let device = try phone()
    device.user.will(.fail, .fail, .fail, .fail, .comply, .fail)
    await device.run {
      for _ in 1...9 { _ = await outcome(LAContext(), biometrics) }
      #expect(!device.isBiometryLockedOut)
      _ = await outcome(LAContext(), biometrics)
      #expect(device.isBiometryLockedOut)
    }
  }

  @Test func anEvaluatedContextAsksNoMore() async throws {
    let device = try phone()
    await device.run {
      let context = LAContext()
      #expect(await outcome(context) == nil)
      #expect(await outcome(context) == nil)
      #expect(await outcome(context, biometrics) == nil)
      #expect(device.user.prompts == [finger])
      // Control: another context asks.
      #expect(await outcome(LAContext()) == nil)
      #expect(device.user.prompts.count == 2)
    }
  }

  @Test func withInteractionForbiddenItFailsUnlessItWasShown() async throws {
    let device = try phone()
    await device.run {
      let context = LAContext()
      context.interactionNotAllowed = true
      #expect(await outcome(context) == .notInteractive)
      #expect(device.user.prompts.isEmpty)
      context.interactionNotAllowed = false
      #expect(await outcome(context) == nil)
      context.interactionNotAllowed = true
      #expect(await outcome(context) == nil)
    }
  }

  @Test func aReasonIsNeeded() async throws {
    let device = try phone()
    let code = await device.run { await outcome(LAContext(), biometrics, "") }
    #expect(code == .invalidContext)
    #expect(device.user.prompts.isEmpty)
  }

  @Test func anInvalidatedContextFails() async throws {
    let device = try phone()
    await device.run {
      let context = LAContext()
      #expect(await outcome(context) == nil)
      context.invalidate()
      #expect(await outcome(context) == .invalidContext)
      #expect(device.user.prompts.count == 1)
    }
  }

  @Test func anUnlockByBiometryCountsForAWhile() async throws {
    let device = try phone()
    try await device.run {
      func prompts(after seconds: TimeInterval, reuse: TimeInterval) async throws -> Int {
        device.lock()
        try device.unlockWithBiometry()
        device.advanceClock(by: seconds)
        device.user.forgetPrompts()
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = reuse
        #expect(await outcome(context, biometrics) == nil)
        return device.user.prompts.count
      }
      for (seconds, reuse, expected) in [(5, 250, 0), (255, 250, 1), (5, 0, 1)]
        as [(Double, Double, Int)]
      {
        let count = try await prompts(after: seconds, reuse: reuse)
        #expect(count == expected)
      }
      // The duration is limited to 300 seconds.
      let count = try await prompts(after: 305, reuse: 3600)
      #expect(count == 1)
      let context = LAContext()
      context.touchIDAuthenticationAllowableReuseDuration = 3600
      #expect(
        context.touchIDAuthenticationAllowableReuseDuration
          == LATouchIDAuthenticationMaximumAllowableReuseDuration)
    }
  }

  @Test func aReplyReachesTheSameDevice() async throws {
    let device = try phone()
    let other = try SimulatedDevice()
    let found: Keychain? = await device.run {
      await withCheckedContinuation { continuation in
        LAContext().evaluatePolicy(biometrics, localizedReason: "Pay") { _, _ in
          continuation.resume(returning: try? DefaultKeychain.get())
        }
      }
    }
    let expected = try device.opened()
    #expect(found === expected)
    #expect(try other.opened() !== expected)
  }

  @Test func companionsThereAreNone() async throws {
    let device = try phone()
    await device.run {
      #expect(
        await outcome(LAContext(), .deviceOwnerAuthenticationWithCompanion)
          == .companionNotAvailable)
      #expect(
        await outcome(LAContext(), .deviceOwnerAuthenticationWithBiometricsOrCompanion) == nil)
    }
  }
}

extension SimulatedDevice {
  fileprivate func opened() throws -> Keychain { try run { try DefaultKeychain.get() } }
}
