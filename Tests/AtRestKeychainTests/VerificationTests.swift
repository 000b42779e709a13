import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// The store is on disk, because the tests modify its file.
@Suite struct VerificationTests {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-\(UUID().uuidString)")
  let device: FileDeviceKey

  init() throws {
    device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
  }

  private var store: URL { folder.appendingPathComponent("store") }

  private func fill() throws {
    let keybag = try Keybag.create(at: store, device: device)
    let keychain = try Keychain.open(keybag, identity: .owner())
    for account in 0..<20 {
      try keychain.add(
        .genericPassword(service: "s", account: "\(account)"),
        secret: SecretBytes(utf8: "\(account)"))
    }
    #expect(try keychain.verify().problems.isEmpty)
    keychain.close()
  }

  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.appendingPathComponent("keychain.db").path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func whatWasDoneToTheFileIsFoundAndRepairedAsItStands() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill()
    try edit("DELETE FROM item WHERE id = (SELECT min(id) FROM item)")
    try edit("UPDATE item SET secret = zeroblob(40) WHERE id = (SELECT max(id) FROM item)")
    let keychain = try Keychain.open(
      Keybag.open(at: store, device: device), identity: .owner())
    let report = try keychain.verify()
    #expect(report.itemCount == 20)
    #expect(report.problems.count == 2)
    #expect(try keychain.repair().accepted == 19)
    // The modified secret stays refused, because nothing can restore it.
    #expect(try keychain.verify().problems.count == 1)
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword, [.service: "s"])).count == 19)
  }

  @Test func aDamagedRootIsRepaired() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill()
    try edit("UPDATE node SET box = zeroblob(80) WHERE id IN (0, -1)")
    let keybag = try Keybag.open(at: store, device: device)
    #expect { _ = try Keychain.open(keybag, identity: .owner()) } throws: {
      ($0 as? AtRestError)?.code == .damaged
    }
    #expect(try Keychain.repair(keybag).accepted == 20)
    let keychain = try Keychain.open(keybag, identity: .owner())
    #expect(try keychain.verify().problems.isEmpty)
    let secret = try keychain.secret(for: .genericPassword(service: "s", account: "7"))
    #expect(String(copying: secret) == "7")
  }

  @Test func aDamagedLeafHidesNoOtherAndIsRepaired() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keybag = try Keybag.create(at: store, device: device)
    let keychain = try Keychain.open(keybag, identity: .owner())
    try keychain.transaction {
      for account in 0..<2_000 {
        try keychain.add(
          .genericPassword(service: "s", account: "\(account)", group: "g"),
          secret: SecretBytes(utf8: "\(account)"))
      }
    }
    keychain.close()
    try edit("UPDATE node SET box = zeroblob(80) WHERE id = 1")
    let again = try Keychain.open(keybag, identity: ApplicationIdentity("g"))
    var readable = 0
    for account in 0..<2_000 {
      do {
        _ = try again.secret(for: .genericPassword(service: "s", account: "\(account)")).count
        readable += 1
      } catch AtRestError.Code.damaged {}
    }
    #expect((1_800..<2_000).contains(readable))
    // One problem for the node, and one for the number of items that it covers.
    #expect(try again.verify().problems.count == 2)
    #expect(try again.repair().accepted == 2_000)
    #expect(try again.verify().problems.isEmpty)
  }

  @Test func aRepairPrefersTheRowThatTheIndexNames() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill()
    // A copy of each row that claims to be later and does not open.
    try edit(
      """
      INSERT INTO item SELECT id + 1000, hash, generation + 5, scope, info, terms, key, metadata, secret
      FROM item
      """)
    let keychain = try Keychain.open(
      Keybag.open(at: store, device: device), identity: .owner())
    #expect(try keychain.verify().problems.count == 1)
    #expect(try keychain.repair().accepted == 20)
    for account in 0..<20 {
      let key = PrimaryKey.genericPassword(service: "s", account: "\(account)")
      #expect(String(copying: try keychain.secret(for: key)) == "\(account)")
    }
  }
}
