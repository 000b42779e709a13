import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A committed write that the device cannot record.
@Suite struct AnchorTests {
  private static func counter(_ store: DiskStore) throws -> URL {
    let device = store.storeFolder.deletingLastPathComponent().appendingPathComponent("device")
    let files = try FileManager.default.contentsOfDirectory(
      at: device, includingPropertiesForKeys: nil)
    return try #require(files.first { $0.pathExtension == "counter" })
  }

  @Test func theWriteStandsAndTheRiskIsListed() throws {
    let store = try DiskStore()
    try store.keychain.put(password("eva"))
    let counter = try Self.counter(store)
    // Control: nothing is listed while the device can record changes.
    #expect(!store.keychain.risks.contains { $0.id == "anchor-behind" })
    let before = try Data(contentsOf: counter)
    try FileManager.default.removeItem(at: counter)
    try FileManager.default.createDirectory(at: counter, withIntermediateDirectories: true)
    try store.keychain.put(password("adam"))
    #expect(try store.keychain.text(password("adam")) == "s3cr3t")
    #expect(store.keychain.risks.contains { $0.id == "anchor-behind" })
    try FileManager.default.removeItem(at: counter)
    try before.write(to: counter)
    // The next write records the change.
    try store.keychain.put(password("zoe"))
    #expect(!store.keychain.risks.contains { $0.id == "anchor-behind" })
    #expect(try Data(contentsOf: counter) != before)
  }

  @Test func theNextOpeningCatchesUp() throws {
    let store = try DiskStore()
    try store.keychain.put(password("eva"))
    let counter = try Self.counter(store)
    let behind = try Data(contentsOf: counter)
    try store.keychain.put(password("adam"))
    store.keychain.close()
    let present = try Data(contentsOf: counter)
    #expect(present != behind)
    try behind.write(to: counter)
    let keychain = try Keychain.open(store.keybag, identity: ApplicationIdentity("com.example.app"))
    // This happens at the opening, before anything is read or written.
    #expect(try Data(contentsOf: counter) == present)
    #expect(try keychain.count() == 2)
    keychain.close()
  }

  @Test func closingNeverLowersWhatAnotherConnectionTold() throws {
    let store = try DiskStore()
    try store.keychain.put(password("eva"))
    let other = try Keychain.open(store.keybag, identity: ApplicationIdentity("com.example.app"))
    defer { other.close() }
    try store.keychain.put(password("adam"))
    let counter = try Self.counter(store)
    let earlier = try Data(contentsOf: counter)
    try other.put(password("zoe"))
    let latest = try Data(contentsOf: counter)
    // Control: the second connection recorded its change on the device.
    #expect(latest != earlier)
    store.keychain.close()
    #expect(try Data(contentsOf: counter) == latest)
  }
}
