import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Tests what `SurvivalTests` do not show of events: the device and the user afterwards.
@Suite struct DeviceEventTests {
  @Test(arguments: DeviceEvent.allCases) func onlyOneEventLeadsToAnotherDevice(
    event: DeviceEvent
  ) throws {
    let device = try phone()
    let later = try device.after(event)
    #expect((later === device) == (event != .restoredElsewhere))
  }

  @Test func theNextPhoneHasTheSameUser() throws {
    let device = try SimulatedDevice(passcode: "1234", biometry: .faceID, hasHardwareKeys: true)
    let next = try device.after(.restoredElsewhere)
    #expect(next.biometryKind == .faceID && next.isHardwareAvailable)
    next.lock()
    try next.unlock(passcode: "1234")
    #expect(next.keybag.lockState == .unlocked)
  }

  @Test func aPhoneWithoutAPasscodeHasNoFingerAfterARestore() throws {
    let device = try SimulatedDevice()
    #expect(try device.after(.restored).user.biometry == .unavailable)
    #expect(try device.after(.restoredElsewhere).user.biometry == .unavailable)
    // Control.
    #expect(try phone().after(.restored).user.biometry != .unavailable)
  }

  @Test func biometryIsLockedOutUntilThePasscode() throws {
    let device = try phone()
    try device.after(.biometryLockedOut)
    #expect(throws: AtRestError.self) { try device.unlockWithBiometry() }
    try device.unlock()
    #expect(!device.isBiometryLockedOut)
    try device.unlockWithBiometry()
  }

  private func phone() throws -> SimulatedDevice {
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    return device
  }
}
