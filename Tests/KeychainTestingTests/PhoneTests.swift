import AtRestKeychain
import KeychainTesting
import Security
import Testing

/// Tests the kinds of phones.
@Suite struct PhoneTests {
  @Test(.phone(passcode: nil)) func withoutAPasscode() throws {
    let phone = try SimulatedDevice.current
    #expect(!phone.keybag.hasPasscode && phone.user.biometry == .unavailable)
  }

  @Test(.phone(biometry: .faceID, isEnrolled: false)) func withoutAnEnrolledFace() throws {
    let phone = try SimulatedDevice.current
    #expect(phone.biometryKind == .faceID && phone.user.biometry == .unavailable)
  }

  @Test(.phone(biometry: nil), .restored) func withoutAReader() throws {
    #expect(try SimulatedDevice.current.biometryKind == nil)
  }

  @Test(.phone(hasHardwareKeys: true), .restoredElsewhere) func withHardware() throws {
    #expect(try SimulatedDevice.current.isHardwareAvailable)
  }

  // Control for the test above.
  @Test(.phone, .restoredElsewhere) func withoutHardware() throws {
    #expect(try !SimulatedDevice.current.isHardwareAvailable)
  }

  @Test(.phone(application: ApplicationIdentity("com.example.mail")), .reinstalled)
  func ofAnotherApplication() throws {
    try Token.save()
    let phone = try SimulatedDevice.current
    #expect(phone.run { Token.read() } == errSecItemNotFound)
    let mail = ApplicationIdentity("com.example.mail")
    #expect(phone.run(as: mail) { Token.read() } == errSecSuccess)
  }
}
