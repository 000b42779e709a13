import AtRest
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// Rows that an attacker removes from the keychain's database hide no value of a vault from its
/// purge: the file stays, and the other values still expire.
@Suite struct LostItemTests {
  private static let start = Date(timeIntervalSince1970: 2_000_000_000)

  /// A store with a vault, in which each of two accounts has an expiring value in a file.
  private struct Place {
    let scratch = try! Scratch()
    let attachment = DataKind("attachment", .consumerGrade, place: .file)

    /// Opens the vault at a given time. The vault and the store are closed when the body's
    /// objects are released.
    func open<Result>(after seconds: Double, _ body: (Vault) throws -> Result) throws -> Result {
      let device = try FileDeviceKey.openOrCreate(in: scratch.device)
      let keybag: Keybag
      do {
        keybag = try Keybag.create(at: scratch.store, device: device)
      } catch AtRestError.Code.duplicate {
        keybag = try Keybag.open(at: scratch.store, device: device)
        try keybag.unlock()
      }
      let keychain = try Keychain.open(
        keybag, identity: ApplicationIdentity("torture"),
        clock: { start.addingTimeInterval(seconds) })
      defer {
        keychain.close()
        keybag.close()
      }
      return try body(
        Vault.open(in: scratch.folder.appendingPathComponent("vault"), keychain: keychain))
    }

    func fill() throws {
      try open(after: 0) { vault in
        for name in ["eva", "ada"] {
          try vault.logIn(name).store(
            Data(count: 20_000),
            in: VaultRecord(
              name, attachment, keep: Retention(until: start.addingTimeInterval(3_600))))
        }
      }
    }

    var files: Int {
      let values = scratch.folder.appendingPathComponent("vault/values")
      let names = FileManager.default.enumerator(atPath: values.path)?.allObjects as? [String] ?? []
      return names.filter { $0.contains("/") }.count
    }

    func edit(_ sql: String) throws {
      let queue = try DatabaseQueue(path: scratch.store.appendingPathComponent("keychain.db").path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
  }

  /// Control: without damage, both expire, and neither expires earlier.
  @Test func withoutDamageBothExpire() throws {
    let place = Place()
    try place.fill()
    #expect(try place.open(after: 60) { try $0.purge() } == 0)
    #expect(place.files == 2)
    // Opening the vault purges it.
    try place.open(after: 7_200) { _ in }
    #expect(place.files == 0)
  }

  @Test func theFileOfALostItemStays() throws {
    let place = Place()
    try place.fill()
    // The last item is that of ada's value.
    try place.edit("DELETE FROM item WHERE id = (SELECT MAX(id) FROM item)")
    try? place.open(after: 60) { _ = try $0.purge() }
    #expect(place.files == 2)
    try? place.open(after: 7_200) { _ = try $0.purge() }
    #expect(place.files >= 1)
  }

  @Test(arguments: ["change", "node"]) func aLostPartOfTheIndexHidesNothing(_ table: String) throws
  {
    let place = Place()
    try place.fill()
    try place.edit("DELETE FROM \(table)")
    try? place.open(after: 60) { _ = try $0.purge() }
    #expect(place.files == 2)
  }
}
