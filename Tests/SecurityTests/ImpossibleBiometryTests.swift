import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// Biometry that the device does not have is -25293 (`errSecAuthFailed`), and nothing is stored.
@Suite struct ImpossibleBiometryTests {
  private static let flags: [SecAccessControlCreateFlags] = [
    .biometryAny, .biometryCurrentSet, [.biometryAny, .devicePasscode, .and],
    [.biometryCurrentSet, .devicePasscode, .and],
  ]

  @Test(arguments: flags) func anAdditionFails(_ flags: SecAccessControlCreateFlags) throws {
    for kind in [nil, BiometryKind.touchID] {
      let device = try SimulatedDevice(passcode: "1234", biometry: kind)
      if kind != nil { device.enrolBiometry() }
      try device.run(as: ApplicationIdentity("com.example.app")) {
        let item: Request = [
          kSecAttrAccessControl: try accessControl(flags, kSecAttrAccessibleWhenUnlocked)
        ]
        let status = add(password(item))
        // Control: with a finger, the item is stored and can be read.
        #expect(status == (kind == nil ? errSecAuthFailed : errSecSuccess))
        #expect(exists(query()) == (kind == nil ? errSecItemNotFound : errSecSuccess))
      }
    }
  }
}
