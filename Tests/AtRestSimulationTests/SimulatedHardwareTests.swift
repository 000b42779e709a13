import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// A simulated device has hardware for keys only if the test says so, and can lose it.
@Suite struct SimulatedHardwareTests {
  @Test func aDeviceHasNoneByDefault() throws {
    let device = try SimulatedDevice()
    #expect(try !device.keychain().hasHardwareKeys)
    #expect(!device.isHardwareAvailable)
    device.isHardwareAvailable = true
    #expect(try !device.keychain().hasHardwareKeys)
  }

  @Test func aKeySurvivesARestartAndADeviceThatDoesNotAnswer() throws {
    let device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: true)
    #expect(device.isHardwareAvailable)
    let publicKey = try device.keychain().createHardwareKey(tag: "k")
    device.isHardwareAvailable = false
    try device.restart()
    try device.unlock()
    #expect(throws: AtRestError.self) { try device.keychain().sign(Data(), tag: "k") }
    device.isHardwareAvailable = true
    let signature = try device.keychain().sign(Data(), tag: "k")
    #expect(try publicKey.isValidSignature(signature, for: Data()))
  }
}
