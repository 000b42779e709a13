import AtRestCrypto
import Foundation
import Synchronization

/// A device key in memory, for devices that exist only in tests.
package final class MemoryDeviceKey: DeviceKeyProvider {
  private let key = SecretBytes.random(count: 32)
  private let memory = Mutex<[String: Data]>([:])
  private let turn = NSLock()

  package init() {}

  package func tangle(
    _ input: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes {
    key.tangle(input, purpose)
  }
  package func recall(_ name: String) throws -> Data? { memory.withLock { $0[name] } }
  package func remember(_ data: Data, as name: String, durably: Bool) throws {
    memory.withLock { $0[name] = data }
  }
  package func rememberErasing(_ data: Data, as name: String) throws {
    memory.withLock { $0[name] = data }
  }
  package func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }
  package func forget(_ name: String) throws { memory.withLock { $0[name] = nil } }
  package var risks: [StoreRisk] { [] }
}
