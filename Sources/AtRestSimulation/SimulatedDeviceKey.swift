import AtRestCrypto
import AtRestKeybag
import Foundation

/// The device key of a simulated device, with hardware for keys if the device has it.
final class SimulatedDeviceKey: DeviceKeyProvider {
  private let key = MemoryDeviceKey()
  let hardware: SimulatedHardware?

  init(hardware: SimulatedHardware?) { self.hardware = hardware }

  var hardwareKeys: (any HardwareKeyProvider)? { hardware }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    try key.tangle(input, purpose: purpose)
  }
  func recall(_ name: String) throws -> Data? { try key.recall(name) }
  func remember(_ data: Data, as name: String, durably: Bool) throws {
    try key.remember(data, as: name, durably: durably)
  }
  func rememberErasing(_ data: Data, as name: String) throws {
    try key.rememberErasing(data, as: name)
  }
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try key.exclusively(name, body)
  }
  func forget(_ name: String) throws { try key.forget(name) }
  var risks: [StoreRisk] { key.risks }
}
