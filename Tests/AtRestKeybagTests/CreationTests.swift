import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization
import Testing

/// A store is made whole, or not at all.
@Suite struct CreationTests {
  /// Fails at the write of one number, and at all later ones: what the end of a process looks like.
  private final class FailingStorage: StoreStorage {
    struct Ended: Error {}
    let memory: MemoryStorage
    private let left: Mutex<Int>
    var location: String { memory.location }

    init(_ memory: MemoryStorage, writes: Int) {
      self.memory = memory
      left = Mutex(writes)
    }
    private func spend() throws {
      try left.withLock { left in
        guard left > 0 else { throw Ended() }
        left -= 1
      }
    }
    func read(_ name: String) throws -> Data? { try memory.read(name) }
    func replace(_ name: String, with data: Data) throws {
      try spend()
      try memory.replace(name, with: data)
    }
    func destroy(_ name: String) throws {
      try spend()
      try memory.destroy(name)
    }
    func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
      try memory.exclusively(body)
    }
  }

  @Test(arguments: [0, 1])
  func whatWasCutOffCanBeMadeAnew(_ writes: Int) throws {
    let memory = MemoryStorage()
    let device = MemoryDeviceKey()
    let options = Keybag.Options(kdf: .forTesting)
    #expect(throws: FailingStorage.Ended.self) {
      _ = try Keybag.create(
        in: FailingStorage(memory, writes: writes), device: device, passcode: nil,
        options: options)
    }
    #expect(refusal { try Keybag.open(in: memory, device: device) } != nil)
    _ = try Keybag.create(in: memory, device: device, passcode: nil, options: options)
    #expect(try Keybag.open(in: memory, device: device).lockState == .unlocked)
  }

  @Test func aChangeOfPasscodeCutOffLeavesTheOldOne() throws {
    let store = try MemoryStore(passcode: "1234")
    let failing = try Keybag.open(
      in: FailingStorage(store.storage, writes: 0), device: store.device)
    #expect(throws: FailingStorage.Ended.self) { try failing.change("1234", "5678") }
    try store.open().unlock("1234")
  }

  @Test func aWipeCutOffAfterItsFirstStepIsAWipe() throws {
    let store = try MemoryStore(passcode: "1234")
    let failing = try Keybag.open(
      in: FailingStorage(store.storage, writes: 1), device: store.device)
    #expect(throws: FailingStorage.Ended.self) { try failing.wipe() }
    #expect(refusal { try store.open().lockState } == .wiped)
  }

  @Test func filesAreForTheirOwnerAlone() throws {
    let folder = TemporaryFolder()
    let device = try FileDeviceKey(in: folder.url.appendingPathComponent("device"))
    _ = try Keybag.create(
      at: folder.url.appendingPathComponent("store"), device: device,
      options: .init(kdf: .forTesting))
    for name in ["store/keybag", "store/effaceable", "device/device.key"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    for name in ["store", "device"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o700, "\(name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("store"))
    #expect(!names.contains { $0.contains(".new-") }, "No temporary file stays.")
  }
}
