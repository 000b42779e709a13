import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A first passcode draws new class keys, and every item is sealed under them.
@Suite struct FirstPasscodeTests {
  private static let passcode = "correct horse battery"
  private static let identity = ApplicationIdentity("com.example.app")

  private static func fill(_ store: DiskStore) throws {
    for (number, accessibility) in Accessibility.allCases.enumerated()
    where accessibility != .whenPasscodeSetThisDeviceOnly {
      try store.keychain.put(
        password("\(number)"), "secret \(number)", [.label: "L"], .accessible(accessibility))
    }
    try store.keychain.addWithoutSecret(password("empty"))
  }

  private static func rows(_ store: DiskStore) throws -> [Row] {
    let queue = try DatabaseQueue(path: store.databasePath)
    defer { try? queue.close() }
    return try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM item ORDER BY id") }
  }

  private static func check(_ keychain: Keychain) throws {
    for (number, accessibility) in Accessibility.allCases.enumerated()
    where accessibility != .whenPasscodeSetThisDeviceOnly {
      #expect(try keychain.text(password("\(number)")) == "secret \(number)")
    }
    let query = KeychainQuery(.genericPassword, [.label: "L"])
    #expect(try keychain.items(matching: query, secrets: true).count == 6)
    #expect(try keychain.verify().problems.isEmpty)
  }

  private static func setPasscode(_ store: DiskStore) throws {
    try store.keybag.setPasscode(
      SecretBytes(utf8: passcode), options: Keybag.Options(kdf: .forTesting))
  }

  @Test func everyItemIsSealedAnew() throws {
    let store = try DiskStore()
    try Self.fill(store)
    let before = try Self.rows(store)
    try Self.setPasscode(store)
    try Self.check(store.keychain)
    let after = try Self.rows(store)
    for (old, new) in zip(before, after) {
      #expect(old["metadata"] as Data != new["metadata"] as Data)
      let hasSecret = !(old["secret"] as Data).isEmpty
      #expect((old["key"] as Data != new["key"] as Data) == hasSecret)
      #expect(old["secret"] as Data == new["secret"] as Data)
    }
    // Rows that were sealed under the former keys are no longer accepted.
    try store.edit { database in
      for row in before {
        try database.execute(
          sql: "UPDATE item SET metadata = ?, key = ? WHERE id = ?",
          arguments: [row["metadata"] as Data, row["key"] as Data, row["id"] as Int64])
      }
    }
    #expect(refusal { try store.keychain.text(password("0")) } == .damaged)
    #expect(refusal { try store.keychain.item(for: password("empty")) } == .damaged)
  }

  /// The process ended after setting the passcode and before sealing the items.
  @Test func itemsAreSealedAtTheNextUnlock() throws {
    let store = try DiskStore()
    try Self.fill(store)
    store.keychain.close()
    try Self.setPasscode(store)
    let keybag = try Keybag.open(at: store.storeFolder, device: store.device)
    let keychain = try Keychain.open(keybag, identity: Self.identity)
    defer { keychain.close() }
    let before = try Self.rows(store)
    // Items that are always readable can be read under their former keys, and are not changed.
    let number = try #require(Accessibility.allCases.firstIndex(of: .always))
    #expect(try keychain.text(password("\(number)")) == "secret \(number)")
    #expect(
      refusal { try keychain.put(password("new"), "x", [:], .accessible(.always)) } == .locked)
    #expect(try Self.rows(store) == before)
    try keybag.unlock(passcode: SecretBytes(utf8: Self.passcode))
    try Self.check(keychain)
    #expect(try Self.rows(store) != before)
    try keychain.put(password("new"))
    #expect(try keychain.text(password("new")) == "s3cr3t")
  }

  @Test func aDamagedItemStaysDamagedAndHidesNoOther() throws {
    let store = try DiskStore()
    try Self.fill(store)
    let reference = try store.keychain.put(password("damaged"))
    try store.damage("metadata", of: reference)
    try Self.setPasscode(store)
    #expect(refusal { try store.keychain.item(for: password("damaged")) } == .damaged)
    #expect(try store.keychain.text(password("0")) == "secret 0")
  }
}
