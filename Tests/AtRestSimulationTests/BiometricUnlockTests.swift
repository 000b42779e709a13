import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Tests the lock screen.
@Suite struct BiometricUnlockTests {
  private let device: SimulatedDevice

  init() throws {
    device = try SimulatedDevice(passcode: "1234", biometry: .faceID)
    device.enrolBiometry()
    device.lock()
  }

  @Test func aFaceThatMatchesUnlocksAndIsNoPrompt() throws {
    try device.unlockWithBiometry()
    #expect(device.keybag.lockState == .unlocked)
    #expect(device.user.prompts.isEmpty)
  }

  @Test func anotherDoesNot() {
    device.user.will(.fail)
    #expect(code { try device.unlockWithBiometry() } == .authenticationFailed)
    device.user.will(.cancel)
    #expect(code { try device.unlockWithBiometry() } == .canceled)
    #expect(device.keybag.lockState == .locked)
  }

  @Test func thePasscodeMayBeTypedInstead() throws {
    device.user.will(.fallBack)
    try device.unlockWithBiometry()
    #expect(device.keybag.lockState == .unlocked)
  }

  @Test func fiveWrongFacesLeaveThePasscode() throws {
    device.user.will(.fail)
    for _ in 1...5 {
      #expect(code { try device.unlockWithBiometry() } == .authenticationFailed)
    }
    device.user.will(.comply)
    #expect(code { try device.unlockWithBiometry() } == .biometryLockout)
    try device.unlock()
    device.lock()
    try device.unlockWithBiometry()
  }

  @Test func afterARestartThePasscodeComesFirst() throws {
    try device.restart()
    #expect(code { try device.unlockWithBiometry() } == .notPermitted)
    try device.unlock()
    device.lock()
    try device.unlockWithBiometry()
    #expect(device.keybag.lockState == .unlocked)
  }

  @Test func whoIsNotEnrolledDoesNotUnlock() {
    device.forgetBiometry()
    #expect(code { try device.unlockWithBiometry() } == .notPermitted)
  }

  @Test func theReaderIsTheOneThatWasGiven() throws {
    #expect(device.biometryKind == .faceID)
    device.enrolBiometry(.opticID)
    #expect(device.biometryKind == .opticID)
    let bare = try SimulatedDevice(passcode: "1234", biometry: nil)
    #expect(bare.biometryKind == nil)
    bare.enrolBiometry()
    #expect(bare.biometryKind == .touchID)
  }

  @Test func thePasscodeTakesTheFacesWithIt() throws {
    try device.unlock()
    try device.removePasscode()
    #expect(device.user.biometry == .unavailable)
    // The device still supports biometry.
    #expect(device.biometryKind == .faceID)
  }
}
