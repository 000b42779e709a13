import AtRestCrypto
import Foundation
import Synchronization

/// Small files in memory, for stores that exist in tests alone.
package final class MemoryStorage: StoreStorage {
  package let location = "memory"
  private let files = Mutex<[String: Data]>([:])
  private let turn = NSLock()

  package init() {}

  package func read(_ name: String) throws -> Data? { files.withLock { $0[name] } }
  package func replace(_ name: String, with data: Data) throws {
    files.withLock { $0[name] = data }
  }
  package func destroy(_ name: String) throws { files.withLock { $0[name] = nil } }
  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }
}
