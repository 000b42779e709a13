import AtRestKeychain
import AtRestSimulation

/// A simulated device with an enrolled finger, for the samples of docs/Keychain.md.
final class SampleDevice {
  private let device: SimulatedDevice
  let keychain: Keychain

  init(hasHardwareKeys: Bool = false) throws {
    device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: hasHardwareKeys)
    device.enrolBiometry()
    keychain = try device.keychain()
  }

  func lock() { device.lock() }

  /// The number of times that the user was asked.
  var promptCount: Int { device.user.prompts.count }
}
