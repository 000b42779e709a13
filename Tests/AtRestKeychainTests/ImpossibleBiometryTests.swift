import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// A protection that nobody can ever meet is refused before anything is stored.
@Suite struct ImpossibleBiometryTests {
  private static let impossible: [AccessControl.Requirement] = [
    .biometry(.any), .biometry(.currentSet), .devicePasscodeAnd(.any),
    .devicePasscodeAnd(.currentSet),
  ]

  private func protection(_ requirement: AccessControl.Requirement) -> ItemProtection {
    .controlled(AccessControl(.whenUnlocked, requirement))
  }

  @Test(arguments: impossible)
  func aDeviceWithoutAReaderRefuses(_ requirement: AccessControl.Requirement) throws {
    let keychain = try SimulatedDevice(passcode: "1234", biometry: nil).keychain()
    #expect(
      refusal { try keychain.put(password(), "x", [:], protection(requirement)) } == .notPermitted)
    #expect(
      refusal {
        _ = try keychain.createKey(.p256, tag: "t", protection: protection(requirement))
      } == .notPermitted)
    #expect(try keychain.count() == 0)
    // Control: the item without it, which an update does not make unreadable.
    try keychain.put(password(), "x")
    #expect(
      refusal {
        try keychain.update(password(), ItemChange(protection: protection(requirement)))
      } == .notPermitted)
    #expect(try keychain.text(password()) == "x")
  }

  @Test(arguments: impossible)
  func soDoesAKeychainWithoutAnAuthenticator(_ requirement: AccessControl.Requirement) throws {
    let store = try DiskStore(passcode: "let me in")
    let keychain = store.keychain
    #expect(
      refusal { try keychain.put(password(), "x", [:], protection(requirement)) } == .notPermitted)
    // Control: the passcode is enough.
    try keychain.put(password(), "x", [:], protection(.devicePasscodeOr(.any)))
  }

  /// A finger may still be enrolled on a device with a reader.
  @Test(arguments: [AccessControl.Requirement.biometry(.any), .devicePasscodeAnd(.any)])
  func aDeviceWithAReaderAccepts(_ requirement: AccessControl.Requirement) throws {
    let device = try SimulatedDevice(passcode: "1234", biometry: .touchID)
    let keychain = try device.keychain()
    try keychain.put(password(), "x", [:], protection(requirement))
    device.enrolBiometry()
    #expect(try keychain.text(password()) == "x")
  }
}
