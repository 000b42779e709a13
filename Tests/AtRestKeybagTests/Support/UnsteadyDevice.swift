import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A point at which a process ends: after a number of writes to a store and its device.
final class WriteLimit: Sendable {
  struct Ended: Error {}
  private let left: Mutex<Int>
  private let made = Mutex(0)

  init(_ count: Int = .max) { left = Mutex(count) }

  /// The number of writes that succeeded.
  var count: Int { made.withLock { $0 } }

  func spend() throws {
    try left.withLock { left in
      guard left > 0 else { throw Ended() }
      left -= 1
    }
    made.withLock { $0 += 1 }
  }
}

/// A device whose process ends at a write, and which may refuse to derive keys.
final class UnsteadyDevice: DeviceKeyProvider {
  struct Refused: Error {}
  let device: MemoryDeviceKey
  private let limit: WriteLimit
  private let refused = Mutex<String?>(nil)

  init(_ device: MemoryDeviceKey = MemoryDeviceKey(), _ limit: WriteLimit = WriteLimit()) {
    self.device = device
    self.limit = limit
  }

  /// Refuses one purpose from now on, or none.
  func refuse(_ label: String?) { refused.withLock { $0 = label } }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    guard refused.withLock({ $0 }) != purpose.label else { throw Refused() }
    return try device.tangle(input, purpose: purpose)
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

/// A storage whose process ends at a write, or which refuses to destroy files.
final class UnsteadyStorage: StoreStorage {
  struct Refused: Error {}
  let memory: MemoryStorage
  private let limit: WriteLimit
  private let isImmutable = Mutex(false)
  var location: String { memory.location }

  init(_ memory: MemoryStorage = MemoryStorage(), _ limit: WriteLimit = WriteLimit()) {
    self.memory = memory
    self.limit = limit
  }

  func setImmutable(_ immutable: Bool) { isImmutable.withLock { $0 = immutable } }

  private func write() throws {
    guard !isImmutable.withLock({ $0 }) else { throw Refused() }
    try limit.spend()
  }
  func read(_ name: String) throws -> Data? { try memory.read(name) }
  func contains(_ name: String) -> Bool { memory.contains(name) }
  func replace(_ name: String, with data: Data) throws {
    try write()
    try memory.replace(name, with: data)
  }
  func replaceErasing(_ name: String, with data: Data) throws {
    try write()
    try memory.replaceErasing(name, with: data)
  }
  func needsErasing(_ name: String) -> Bool { false }
  func finishErasing(_ name: String) throws {}
  func destroy(_ name: String) throws {
    try write()
    try memory.destroy(name)
  }
  func remove(_ name: String) throws {
    try write()
    try memory.remove(name)
  }
  func rename(_ name: String, to other: String) throws {
    try write()
    try memory.rename(name, to: other)
  }
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    try memory.exclusively(body)
  }
}
