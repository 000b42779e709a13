import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests deleting all items of an application, at logout and at its first launch after an
/// installation.
@Suite struct LogoutTests {
  private func wipe() -> [OSStatus] {
    [
      kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate,
      kSecClassIdentity,
    ].map { delete([kSecClass: $0, kSecAttrSynchronizable: kSecAttrSynchronizableAny]) }
  }

  private func fill() throws {
    _ = add(password("eva"))
    _ = add(password("adam", [kSecAttrSynchronizable: true]))
    _ = add([
      kSecClass: kSecClassInternetPassword, kSecAttrServer: "mail.example.com",
      kSecAttrAccessControl: try accessControl(.userPresence), kSecValueData: Data([1]),
    ])
    _ = add([
      kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("rsa2048"),
      kSecAttrApplicationTag: "com.example.mine",
    ])
  }

  @Test func everythingOfTheApplicationGoesAndNothingOfAnother() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let other = ApplicationIdentity("com.example.other")
    try device.run(as: other) { try fill() }
    try device.run {
      try fill()
      #expect(wipe().prefix(3) == [errSecSuccess, errSecSuccess, errSecSuccess])
      #expect(wipe().allSatisfy { $0 == errSecItemNotFound })
      #expect(device.user.prompts.isEmpty)
    }
    device.run(as: other) { #expect(value(query("eva")) == "s3cr3t") }
  }

  @Test func itemsOutliveTheApplicationUntilItWipesThem() throws {
    let device = try SimulatedDevice(passcode: "1234")
    try device.run { try fill() }
    _ = try device.reinstall()
    device.run {
      #expect(value(query("eva")) == "s3cr3t")
      _ = wipe()
      #expect(exists(query("eva")) == errSecItemNotFound)
    }
  }

  @Test func withoutSynchronizableAnyWhatIsSynchronizableStays() throws {
    try onDevice { _ in
      try fill()
      #expect(delete([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
      #expect(exists(query("adam", [kSecAttrSynchronizable: true])) == errSecSuccess)
    }
  }
}
