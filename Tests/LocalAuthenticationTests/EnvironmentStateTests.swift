import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// Tests the means of authentication that an environment shows, against what policies answer.
@Suite struct EnvironmentStateTests {
  private func state(_ device: SimulatedDevice) -> LAEnvironment.State {
    device.run {
      let state = LAEnvironment.currentUser.state
      // "Whether the relevant preflight call of canEvaluatePolicy would succeed."
      let biometry = refusal(LAContext(), .deviceOwnerAuthenticationWithBiometrics) == nil
      #expect((state.biometry?.isUsable ?? false) == biometry)
      #expect(
        state.userPassword?.isUsable == (refusal(LAContext(), .deviceOwnerAuthentication) == nil))
      let hash = LAContext().domainState.biometry.stateHash
      #expect(state.biometry?.stateHash ?? Data() == hash ?? Data())
      #expect(state.companions.isEmpty)
      return state
    }
  }

  @Test func aPhoneWithAnEnrolledFinger() throws {
    let state = state(try phone())
    let biometry = try #require(state.biometry)
    #expect(biometry.isUsable && biometry.isEnrolled && !biometry.isLockedOut)
    #expect(biometry.biometryType == .touchID && !biometry.stateHash.isEmpty)
    #expect(!biometry.builtInSensorInaccessible)
    let password = try #require(state.userPassword)
    #expect(password.isSet && password.isUsable)
    #expect(state.allMechanisms == [biometry, password])
  }

  @Test(arguments: [
    (BiometryKind.touchID, LABiometryType.touchID, "Touch ID", "touchid"),
    (.faceID, .faceID, "Face ID", "faceid"), (.opticID, .opticID, "Optic ID", "opticid"),
  ])
  func aReaderHasItsNames(
    _ kind: BiometryKind, _ type: LABiometryType, _ name: String, _ icon: String
  ) throws {
    let biometry = try #require(state(try phone(kind)).biometry)
    #expect(biometry.biometryType == type)
    #expect(biometry.localizedName == name && biometry.iconSystemName == icon)
  }

  @Test func withoutAReaderThereIsNoBiometry() throws {
    let state = state(try SimulatedDevice(passcode: "1234", biometry: nil))
    #expect(state.biometry == nil)
    #expect(state.allMechanisms.count == 1)
  }

  @Test func theTypeIsKnownAlthoughNothingIsEnrolled() throws {
    let device = try phone(.faceID)
    device.forgetBiometry()
    let biometry = try #require(state(device).biometry)
    #expect(biometry.biometryType == .faceID)
    #expect(!biometry.isEnrolled && !biometry.isUsable && biometry.stateHash.isEmpty)
  }

  @Test func lockedOutBiometryIsEnrolledAndNotUsable() throws {
    let device = try phone()
    device.lockOutBiometry()
    let biometry = try #require(state(device).biometry)
    #expect(biometry.isEnrolled && biometry.isLockedOut && !biometry.isUsable)
    try device.unlock()
    // Control: the passcode ends the lockout.
    #expect(state(device).biometry?.isUsable == true)
  }

  @Test func withoutAPasscodeNothingIsUsable() throws {
    let device = try phone()
    try device.removePasscode()
    let state = state(device)
    #expect(state.userPassword?.isSet == false)
    #expect(!state.allMechanisms.contains { $0.isUsable })
  }

  @Test func theStateHashChangesWithTheEnrolment() throws {
    let device = try phone()
    let first = state(device)
    #expect(state(device) == first && state(device).hash == first.hash)
    #expect(state(device).biometry == first.biometry)
    device.enrolBiometry()
    let second = state(device)
    #expect(second.biometry != first.biometry && second.userPassword == first.userPassword)
    #expect(second != first && second.biometry?.stateHash != first.biometry?.stateHash)
    #expect((second.copy() as? LAEnvironment.State) == second)
  }

  @Test func withoutAnAuthenticatorNothingIsUsable() throws {
    let device = try phone()
    let keychain = try Keychain.open(
      device.keybag, in: .init(), identity: SimulatedDevice.application, authenticator: nil)
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    DefaultKeychain.$taskSource.withValue(source) {
      let state = LAEnvironment.currentUser.state
      #expect(state.biometry == nil)
      #expect(state.userPassword?.isSet == true && state.userPassword?.isUsable == false)
    }
  }

  @Test func companionsAreNone() throws {
    try phone().run {
      let companion = LAContext().domainState.companion
      #expect(companion.availableCompanionTypes.isEmpty && companion.stateHash == nil)
      #expect(companion.stateHash(for: .watch) == nil)
      #expect(LACompanionType.vision.rawValue == Int(kLACompanionTypeVision))
      #expect(
        refusal(LAContext(), .deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
    }
  }

  @Test func eachDeviceHasOneEnvironment() throws {
    let device = try phone()
    let other = try phone()
    let environment = device.run { LAEnvironment.currentUser }
    let again = device.run(as: ApplicationIdentity("com.example.other")) {
      LAEnvironment.currentUser
    }
    #expect(environment === again)
    #expect(other.run { LAEnvironment.currentUser } !== environment)
    other.forgetBiometry()
    #expect(environment.state.biometry?.isEnrolled == true)
  }

  @Test func anEnvironmentDoesNotKeepItsDevice() throws {
    var device: SimulatedDevice? = try phone()
    weak let gone = device
    let environment = try #require(device).run { LAEnvironment.currentUser }
    device?.forgetBiometry()
    #expect(environment.state.biometry?.isEnrolled == false)
    device = nil
    #expect(gone == nil)
    // The last state remains.
    #expect(environment.state.biometry?.isEnrolled == false)
  }
}
