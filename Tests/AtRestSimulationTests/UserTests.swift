import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Tests the scripted user.
@Suite struct UserTests {
  private let device: SimulatedDevice
  private let card = PrimaryKey.genericPassword(service: "cards", account: "visa")

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    try device.keychain().add(
      card, secret: SecretBytes(utf8: "4111"),
      protection: .controlled(AccessControl(.whenUnlocked, .biometry(.any))))
  }

  private func read() -> AtRestError.Code? {
    code { _ = try device.keychain().secret(for: card).count }
  }

  @Test func answersComeInTurnAndTheLastStays() {
    device.user.will(.fail, .cancel, .comply)
    #expect([read(), read(), read(), read()] == [.authenticationFailed, .canceled, nil, nil])
    device.user.will(.cancel)
    #expect([read(), read()] == [.canceled, .canceled])
    #expect(device.user.prompts.count == 6)
    device.user.forgetPrompts()
    #expect(device.user.prompts.isEmpty)
  }

  @Test func whoFallsBackFromBiometryAloneHasNothingToFallBackOn() {
    device.user.will(.fallBack)
    #expect(read() == .passcodePreferred)
    #expect(device.user.prompts.count == 1)
  }

  @Test func whoFallsBackWhereThePasscodeDoesTypesIt() throws {
    let keychain = try device.keychain()
    try keychain.update(
      card, ItemChange(protection: .controlled(AccessControl(.whenUnlocked, .userPresence))))
    device.user.forgetPrompts()
    device.user.will(.fallBack)
    #expect(read() == nil)
    #expect(
      device.user.prompts
        == [.biometry(reason: "Access a secret"), .passcode(reason: "Access a secret")])
  }

  @Test func afterFiveFailuresOnlyThePasscodeHelps() throws {
    device.user.will(.fail)
    for _ in 1...5 { #expect(read() == .authenticationFailed) }
    device.user.will(.comply)
    #expect(read() == .biometryLockout)
    #expect(device.user.prompts.count == 5, "The user is not asked if it cannot succeed.")
    device.lock()
    #expect(code { try device.unlockWithBiometry() } == .biometryLockout)
    #expect(code { try device.unlock(passcode: "wrong") } == .authenticationFailed)
    #expect(device.isBiometryLockedOut)
    try device.unlock()
    #expect(!device.isBiometryLockedOut)
    #expect(read() == nil)
  }
}
