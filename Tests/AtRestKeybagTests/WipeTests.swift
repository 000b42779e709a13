import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A wiped store is unreadable at once, and reports that it was wiped.
@Suite struct WipeTests {
  @Test func everythingIsUnreadable() throws {
    let store = try MemoryStore(passcode: "1234")
    let wrapped = try store.keybag.wrapAll()
    let keybag = try #require(try store.storage.read("keybag"))
    try store.keybag.wipe()
    #expect(store.keybag.available.isEmpty)
    for (keyClass, data) in wrapped { #expect(!store.keybag.opens(data, keyClass)) }
    #expect(refusal { try store.keybag.unlock("1234") } == .wiped)
    #expect(try store.storage.read("keybag") == nil)
    #expect(refusal { try store.open().lockState } == .notFound)
    // An earlier copy of the keybag opens nothing.
    try store.storage.replace("keybag", with: keybag)
    #expect(refusal { try store.open().lockState } == .wiped)
    #expect(refusal { try store.keybag.unlock("1234") } == .wiped)
  }

  @Test func theDatabaseIsRemovedAsWell() throws {
    let store = try MemoryStore()
    let names = ["keychain.db", "keychain.db-wal", "keychain.db-shm"]
    for name in names { try store.storage.replace(name, with: Data([1])) }
    try store.keybag.wipe()
    #expect(store.storage.names.isEmpty)
  }

  @Test func aMissingKeybagIsDamage() throws {
    let store = try MemoryStore(passcode: "1234")
    try store.storage.destroy("keybag")
    #expect(refusal { try store.keybag.unlock("1234") } == .damaged)
    // A caller that never saw the store finds a folder without a store, unless its database is
    // there.
    #expect(refusal { try store.open().lockState } == .notFound)
    try store.storage.replace("keychain.db", with: Data([1]))
    #expect(refusal { try store.open().lockState } == .damaged)
  }

  @Test func aStoreOfOthersInTheSamePlaceSurvives() throws {
    let store = try MemoryStore(passcode: "1234")
    let other = MemoryStorage()
    let present = try Keybag.create(
      in: other, device: store.device, passcode: nil, options: .forTesting())
    try store.storage.replace("keybag", with: #require(try other.read("keybag")))
    try store.keybag.wipe()
    #expect(try store.open().identity == present.identity)
  }

  @Test func whereNothingIsThereIsNoStore() throws {
    let device = MemoryDeviceKey()
    #expect(refusal { try Keybag.open(in: MemoryStorage(), device: device) } == .notFound)
    let folder = TemporaryFolder()
    #expect(refusal { try Keybag.open(at: folder.url, device: device) } == .notFound)
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    #expect(refusal { try Keybag.open(at: folder.url, device: device) } == .notFound)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func afterAWipeThereIsRoomForANewStore() throws {
    let store = try MemoryStore(passcode: "1234")
    try store.keybag.wipe()
    let new = try Keybag.create(
      in: store.storage, device: store.device, passcode: nil, options: .forTesting())
    #expect(new.store != store.keybag.store)
    #expect(refusal { try store.keybag.unlock("1234") } == .wiped)
  }
}
