import AtRestCrypto
import Foundation
import Synchronization

/// Small files in memory, for stores that exist only in tests.
package final class MemoryStorage: StoreStorage {
  package let location = "memory"
  private let files = Mutex<[String: Data]>([:])
  private let turn = NSLock()

  package init() {}

  /// The names of all files.
  package var names: [String] { files.withLock { Array($0.keys) } }

  package func read(_ name: String) throws -> Data? { files.withLock { $0[name] } }
  package func contains(_ name: String) -> Bool { files.withLock { $0[name] != nil } }
  package func replace(_ name: String, with data: Data) throws {
    files.withLock { $0[name] = data }
  }
  package func replaceErasing(_ name: String, with data: Data) throws {
    try replace(name, with: data)
  }
  package func needsErasing(_ name: String) -> Bool { false }
  package func finishErasing(_ name: String) throws {}
  package func destroy(_ name: String) throws { files.withLock { $0[name] = nil } }
  package func remove(_ name: String) throws { files.withLock { $0[name] = nil } }
  package func rename(_ name: String, to other: String) throws {
    files.withLock { files in
      files[other] = files[name]
      files[name] = nil
    }
  }
  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }
}
