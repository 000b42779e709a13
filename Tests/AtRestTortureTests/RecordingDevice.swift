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
  func inputs(_ label: String) -> Data? { calls.withLock { $0[label]?.input } }
  func answers(_ label: String) -> Data? { calls.withLock { $0[label]?.answer } }

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
