import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A store is created completely or not at all.
@Suite struct CreationTests {
  @Test func filesAreForTheirOwnerAlone() throws {
    let folder = TemporaryFolder()
    let device = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
    _ = try Keybag.create(
      at: folder.url.appendingPathComponent("store"), device: device,
      options: .forTesting())
    for name in try ["store/keybag", "device/device.key"] + deviceFiles(folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    for name in ["store", "device"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o700, "\(name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("store"))
    #expect(Set(names) == ["keybag", "lock"], "No temporary file stays.")
  }

  private func deviceFiles(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("device"))
      .map { "device/\($0)" }
  }

  @Test func aSecondStoreInOnePlaceIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    #expect(
      refusal {
        try Keybag.create(
          in: store.storage, device: store.device, passcode: nil, options: .forTesting())
      } == .duplicate)
    try store.open().unlock("1234")
  }

  @Test func aDatabaseWithoutAKeybagIsSetAsideWhole() throws {
    let store = try MemoryStore()
    let files = [
      "keychain.db": Data([1]), "keychain.db-wal": Data([2]), "keychain.db-shm": Data([3]),
    ]
    try store.storage.destroy("keybag")
    for (name, data) in files { try store.storage.replace(name, with: data) }
    #expect(refusal { try store.open().lockState } == .damaged, "It is missing, not absent.")
    let new = try Keybag.create(
      in: store.storage, device: store.device, passcode: nil, options: .forTesting())
    #expect(new.lockState == .unlocked)
    let kept = store.storage.names.filter { $0.hasPrefix("keychain.db.former-") }.sorted()
    #expect(kept.count == 3)
    #expect(try kept.map { try store.storage.read($0) } == [Data([1]), Data([3]), Data([2])])
    for name in files.keys { #expect(try store.storage.read(name) == nil) }
  }

  @Test func aWipedStoreMakesRoomWhateverIsLeftOfIt() throws {
    let store = try MemoryStore(passcode: "1234")
    let keybag = try #require(try store.storage.read("keybag"))
    try store.keybag.wipe()
    // The device remembers the wipe, but the file could not be removed.
    try store.storage.replace("keybag", with: keybag)
    #expect(refusal { try store.open().lockState } == .wiped)
    let new = try Keybag.create(
      in: store.storage, device: store.device, passcode: nil, options: .forTesting())
    #expect(try store.open().identity == new.identity)
  }
}
