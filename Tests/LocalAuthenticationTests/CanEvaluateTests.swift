import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// Tests whether a policy can be evaluated, and the reason if it cannot.
@Suite struct CanEvaluateTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics
  private let owner = LAPolicy.deviceOwnerAuthentication

  private func check(
    _ device: SimulatedDevice, biometrics: LAError.Code?, owner: LAError.Code?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = device.run {
      (refusal(LAContext(), self.biometrics), refusal(LAContext(), self.owner))
    }
    #expect(found.0 == biometrics, sourceLocation: sourceLocation)
    #expect(found.1 == owner, sourceLocation: sourceLocation)
    #expect(device.user.prompts.isEmpty, "The user is not asked.")
  }

  @Test func withAFingerAndAPasscodeBothCan() throws {
    try check(phone(), biometrics: nil, owner: nil)
  }

  @Test func withoutAReaderThereIsNoBiometry() throws {
    try check(
      SimulatedDevice(passcode: "1234", biometry: nil), biometrics: .biometryNotAvailable,
      owner: nil)
  }

  @Test func withoutAPasscodeNeitherCan() throws {
    try check(SimulatedDevice(), biometrics: .passcodeNotSet, owner: .passcodeNotSet)
  }

  @Test func withNobodyEnrolledThePasscodeIsLeft() throws {
    try check(
      SimulatedDevice(passcode: "1234"), biometrics: .biometryNotEnrolled, owner: nil)
  }

  @Test func theStateIsThatOfTheMoment() throws {
    let device = try phone()
    check(device, biometrics: nil, owner: nil)
    device.forgetBiometry()
    check(device, biometrics: .biometryNotEnrolled, owner: nil)
    device.enrolBiometry()
    check(device, biometrics: nil, owner: nil)
    try device.removePasscode()
    check(device, biometrics: .passcodeNotSet, owner: .passcodeNotSet)
    try device.setPasscode("5678")
    check(device, biometrics: .biometryNotEnrolled, owner: nil)
  }

  @Test func anInvalidatedContextCannot() throws {
    try phone().run {
      let context = LAContext()
      context.invalidate()
      #expect(refusal(context, biometrics) == .invalidContext)
      #expect(refusal(context, owner) == .invalidContext)
    }
  }

  @Test func withoutAnAuthenticatorThereIsNobodyToAsk() throws {
    let device = try phone()
    let keychain = try Keychain.open(
      device.keybag, in: .init(), identity: SimulatedDevice.application, authenticator: nil)
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    DefaultKeychain.$taskSource.withValue(source) {
      #expect(refusal(LAContext(), biometrics) == .biometryNotAvailable)
      #expect(refusal(LAContext(), owner) == .notInteractive)
    }
  }

  @Test(arguments: [
    (BiometryKind.touchID, LABiometryType.touchID), (.faceID, .faceID), (.opticID, .opticID),
  ])
  func theReaderIsKnownAfterwards(_ kind: BiometryKind, _ type: LABiometryType) throws {
    let device = try SimulatedDevice(passcode: "1234", biometry: kind)
    device.run {
      let context = LAContext()
      #expect(context.biometryType == .none)
      // The type is also known if no finger or face is enrolled.
      #expect(!context.canEvaluatePolicy(biometrics, error: nil))
      #expect(context.biometryType == type)
    }
  }

  @Test func theDomainStateChangesWithTheEnrolment() throws {
    let device = try phone()
    func state() -> Data? {
      device.run {
        let context = LAContext()
        #expect(context.evaluatedPolicyDomainState == nil)
        guard context.canEvaluatePolicy(owner, error: nil) else { return nil }
        #expect(context.evaluatedPolicyDomainState == context.domainState.biometry.stateHash)
        #expect(context.domainState.stateHash == context.domainState.biometry.stateHash)
        return context.evaluatedPolicyDomainState
      }
    }
    let first = try #require(state())
    #expect(state() == first)
    device.enrolBiometry()
    let second = try #require(state())
    #expect(second != first)
    device.forgetBiometry()
    #expect(state() == nil)
    #expect(device.run { LAContext().domainState.biometry.biometryType } == .touchID)
  }

  @Test func theErrorIsOfApplesDomain() throws {
    try SimulatedDevice().run {
      var error: NSError?
      #expect(!LAContext().canEvaluatePolicy(owner, error: &error))
      #expect(error?.domain == LAErrorDomain && error?.domain == LAError.errorDomain)
      #expect(error?.code == -5 && error?.code == LAError.passcodeNotSet.rawValue)
      #expect(error?.localizedDescription == "No passcode is set.")
    }
  }
}
