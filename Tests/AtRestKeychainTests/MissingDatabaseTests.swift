import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A database that the device remembers and that is missing is never made anew by opening it.
@Suite struct MissingDatabaseTests {
  private func removed() throws -> DiskStore {
    let store = try DiskStore()
    try store.keychain.put(password())
    store.keychain.close()
    for suffix in ["", "-wal", "-shm"] { unlink(store.databasePath + suffix) }
    return store
  }

  private func exists(_ store: DiskStore) -> Bool {
    FileManager.default.fileExists(atPath: store.databasePath)
  }

  private static func open(_ keybag: Keybag, acceptingOlder: Bool = false) throws -> Keychain {
    try Keychain.open(
      keybag, identity: ApplicationIdentity("com.example.app"), acceptingOlder: acceptingOlder)
  }

  @Test func openingMakesNothing() throws {
    let store = try removed()
    #expect(refusal { try Self.open(store.keybag) } == .rolledBack)
    #expect(!exists(store))
    #expect(refusal { try Keychain.repair(store.keybag).accepted } == .rolledBack)
    #expect(!exists(store))
    let state = try #require(try Keychain.olderState(of: store.keybag))
    #expect(state.itemCount == 0 && state.rememberedChange ?? 0 > 0)
    #expect(!exists(store))
  }

  /// Control: whoever accepts the loss gets an empty keychain.
  @Test func theLossCanBeAccepted() throws {
    let store = try removed()
    let keychain = try Self.open(store.keybag, acceptingOlder: true)
    #expect(try keychain.count() == 0)
    keychain.close()
    #expect(exists(store))
  }

  /// Control: a store that never had a database gets one.
  @Test func aNewStoreHasNoneYet() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let keybag = try Keybag.create(at: folder.appendingPathComponent("store"), device: device)
    let keychain = try Self.open(keybag)
    #expect(try keychain.count() == 0)
    keychain.close()
  }

  @Test func aWipedFolderGetsNone() throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    let other = try Keybag.open(at: store.storeFolder, device: store.device)
    try other.wipe()
    #expect(refusal { try Self.open(store.keybag) } == .wiped)
    #expect(!exists(store))
  }
}
