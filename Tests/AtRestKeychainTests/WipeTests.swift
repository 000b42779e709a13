import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

@Suite struct WipeTests {
  @Test func aNewStoreMayTakeTheFolder() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("store")
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let key = PrimaryKey.genericPassword(service: "s", account: "a")
    let keybag = try Keybag.create(at: store, device: device)
    let keychain = try Keychain.open(keybag, identity: .owner())
    try keychain.add(key, secret: SecretBytes(utf8: "x"))
    #expect(throws: AtRestError.self) {
      try Keychain.open(keybag, identity: ApplicationIdentity("app")).wipe()
    }
    try keychain.wipe()
    #expect { _ = try keychain.secret(for: key).count } throws: {
      ($0 as? AtRestError)?.code == .wiped
    }
    #expect { _ = try Keybag.open(at: store, device: device) } throws: {
      ($0 as? AtRestError)?.code == .notFound
    }
    let new = try Keychain.open(
      Keybag.create(at: store, device: device), identity: .owner())
    #expect { _ = try new.secret(for: key).count } throws: {
      ($0 as? AtRestError)?.code == .notFound
    }
  }
}
