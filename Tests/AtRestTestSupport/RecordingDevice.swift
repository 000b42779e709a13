import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A device that records its inputs and answers, so a test can identify the keys derived from them.
final class RecordingDevice: DeviceKeyProvider {
  private let device: FileDeviceKey
  private let calls = Mutex<[String: (input: Data, answer: Data)]>([:])

  init(_ device: FileDeviceKey) { self.device = device }

  /// Returns the last input for a purpose.
  func input(_ label: String) throws -> Data { try call(label).input }
  func answer(_ label: String) throws -> Data { try call(label).answer }

  private func call(_ label: String) throws -> (input: Data, answer: Data) {
    guard let call = calls.withLock({ $0[label] }) else {
      throw AtRestError.damaged("Nothing was derived for \(label).")
    }
    return call
  }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    let answer = try device.tangle(input, purpose: purpose)
    let call = (Data(copying: input), Data(copying: answer))
    calls.withLock { $0[purpose.label] = call }
    return answer
  }
  func recall(_ name: String) throws -> Data? { try device.recall(name) }
  func remember(_ data: Data, as name: String, durably: Bool) throws {
    try device.remember(data, as: name, durably: durably)
  }
  func rememberErasing(_ data: Data, as name: String) throws {
    try device.rememberErasing(data, as: name)
  }
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try device.exclusively(name, body)
  }
  func forget(_ name: String) throws { try device.forget(name) }
  var risks: [StoreRisk] { device.risks }
}
