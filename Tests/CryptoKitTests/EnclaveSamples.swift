import AtRestSimulation
import CryptoKit
import Foundation
import Security
import Testing

/// The sample of docs/CryptoKit.md. Between the marks is what the page shows.
@Suite struct EnclaveSamples {
  @Test func signInTheSecureEnclave() throws {
    // sample: sign in the secure enclave
    let device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: true)
    try device.run {
      device.enrolBiometry()
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet],
        nil)
      let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control!)
      let kept = key.dataRepresentation
      print(try key.signature(for: Data("pay".utf8)).rawRepresentation.count)
      device.enrolBiometry()
      let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: kept)
      print((try? again.signature(for: Data("pay".utf8))) == nil)
    }
    // sample: end
    // Control: the change of the enrolment is the reason.
    #expect(device.user.prompts.count == 1)
    try device.run {
      let key = try SecureEnclave.P256.Signing.PrivateKey()
      device.enrolBiometry()
      #expect(try key.signature(for: Data("pay".utf8)).rawRepresentation.count == 64)
    }
  }
}
