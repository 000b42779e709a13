import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import Synchronization

/// A device whose hardware for keys can be removed, and replaced with that of another device.
final class ExchangeableHardware: DeviceKeyProvider {
  private let key = MemoryDeviceKey()
  private let hardware: Mutex<(any HardwareKeyProvider)?>

  init() throws { hardware = Mutex(try Self.newHardware()) }

  private static func newHardware() throws -> (any HardwareKeyProvider)? {
    try SimulatedDevice(hasHardwareKeys: true).keybag.device.hardwareKeys
  }

  func replaceHardware() throws {
    let new = try Self.newHardware()
    hardware.withLock { $0 = new }
  }

  func removeHardware() { hardware.withLock { $0 = nil } }

  /// Creates an unlocked store on this device, and opens its keychain.
  func keychain() throws -> Keychain {
    try Keychain.open(
      Keybag.create(
        in: MemoryStorage(), device: self, passcode: nil, options: Keybag.Options(kdf: .forTesting)),
      in: Keychain.MemoryDatabase(),
      identity: .owner(), authenticator: nil)
  }

  var hardwareKeys: (any HardwareKeyProvider)? { hardware.withLock { $0 } }

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
