import AtRestCrypto
import AtRestKeybag
import Foundation

/// A device key in a file whose process ends at a write.
struct EndingDevice: DeviceKeyProvider, ListedDevice {
  private let device: FileDeviceKey
  private let limit: WriteLimit

  init(_ device: FileDeviceKey, _ limit: WriteLimit) {
    self.device = device
    self.limit = limit
  }

  func names() throws -> [String] { try device.names() }
  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    try device.tangle(input, purpose: purpose)
  }
  func recall(_ name: String) throws -> Data? { try device.recall(name) }
  func remember(_ data: Data, as name: String, durably: Bool) throws {
    try limit.spend()
    try device.remember(data, as: name, durably: durably)
  }
  func rememberErasing(_ data: Data, as name: String) throws {
    try limit.spend()
    try device.rememberErasing(data, as: name)
  }
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try device.exclusively(name, body)
  }
  func forget(_ name: String) throws {
    try limit.spend()
    try device.forget(name)
  }
  var risks: [StoreRisk] { [] }
}
