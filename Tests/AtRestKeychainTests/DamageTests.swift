import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A damaged row is refused, and other rows are not affected.
@Suite struct DamageTests {
  static let columns = ["metadata", "key", "secret"]

  @Test(arguments: columns)
  func aDamagedRowSaysSoAndOthersAreFound(_ column: String) throws {
    let store = try DiskStore()
    let damaged = try store.keychain.put(password("eva"))
    try store.keychain.put(password("adam"), "whole")
    try store.damage(column, of: damaged)
    // A secret without access control is read without its metadata.
    let read = refusal { try store.keychain.text(password("eva")) }
    #expect(read == (column == "metadata" ? nil : .damaged))
    #expect(refusal { try store.keychain.text(damaged) } == .damaged)
    #expect(refusal { try store.keychain.change(password("eva"), "") } == .damaged)
    #expect(
      refusal { try store.keychain.update(password("eva"), ItemChange()) } == .damaged)
    #expect(try store.keychain.text(password("adam")) == "whole")
  }

  @Test func aListGoesOnWithoutADamagedRowAndSaysSo() throws {
    let store = try DiskStore()
    let damaged = try store.keychain.put(password("eva"))
    for number in 0..<3 { try store.keychain.put(password("\(number)")) }
    try store.damage("metadata", of: damaged)
    let items = try store.keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    #expect(items.map(\.attributes.account) == ["0", "1", "2"])
    #expect(items.withheld.map(\.reference) == [damaged])
    #expect(items.withheld.first?.reason.code == .damaged)
  }

  @Test func aListOfDamagedRowsAloneIsNoEmptyList() throws {
    let store = try DiskStore()
    let damaged = try store.keychain.put(password("eva"))
    try store.damage("metadata", of: damaged)
    #expect(
      refusal { try store.keychain.items(matching: KeychainQuery(.genericPassword)) } == .damaged)
  }

  @Test(arguments: columns)
  func addingOverADamagedRowSucceeds(_ column: String) throws {
    let store = try DiskStore()
    let damaged = try store.keychain.put(password(), "old", [.label: "Old"])
    try store.damage(column, of: damaged)
    let reference = try store.keychain.put(password(), "new")
    #expect(reference != damaged)
    #expect(try store.keychain.text(password()) == "new")
    #expect(try store.keychain.item(for: password()).attributes.label == nil)
    #expect(try store.keychain.count() == 1)
  }

  @Test(arguments: columns)
  func settingOverADamagedRowSucceeds(_ column: String) throws {
    let store = try DiskStore()
    try store.damage(column, of: store.keychain.put(password(), "old"))
    try store.keychain.set(password(), secret: SecretBytes(utf8: "new"))
    #expect(try store.keychain.text(password()) == "new")
    #expect(try store.keychain.count() == 1)
  }

  @Test(arguments: columns)
  func aDamagedRowIsDeleted(_ column: String) throws {
    let store = try DiskStore()
    let first = try store.keychain.put(password("eva"))
    try store.damage(column, of: first)
    try store.keychain.delete(password("eva"))
    #expect(refusal { try store.keychain.text(password("eva")) } == .notFound)
    let second = try store.keychain.put(password("eva"))
    try store.damage(column, of: second)
    try store.keychain.delete(second)
    let third = try store.keychain.put(password("eva"))
    try store.damage(column, of: third)
    #expect(try store.keychain.delete(matching: KeychainQuery(.genericPassword)) == 1)
    let fourth = try store.keychain.put(password("eva"))
    try store.damage(column, of: fourth)
    #expect(
      try store.keychain.delete(matching: KeychainQuery(.genericPassword, [.service: "mail"])) == 1)
    #expect(try store.keychain.count() == 0)
  }

  @Test func aRowOfUnknownClassHidesNoOther() throws {
    let store = try DiskStore()
    let damaged = try store.keychain.put(password("eva"))
    try store.keychain.put(password("adam"))
    try store.edit {
      try $0.execute(
        sql: "UPDATE item SET info = info | 61440 WHERE id = ?", arguments: [damaged.rowID])
    }
    #expect(refusal { try store.keychain.text(password("eva")) } == .damaged)
    #expect(
      try store.keychain.items(matching: KeychainQuery(.genericPassword)).map(\.attributes.account)
        == ["adam"])
    try store.keychain.put(password("eva"), "new")
    #expect(try store.keychain.text(password("eva")) == "new")
    #expect(try store.keychain.count() == 2)
  }

  @Test func aRowOfUnknownClassIsDeleted() throws {
    let store = try DiskStore()
    func damage(_ reference: PersistentReference) throws {
      try store.edit {
        try $0.execute(
          sql: "UPDATE item SET info = info | 61440 WHERE id = ?", arguments: [reference.rowID])
      }
    }
    try damage(store.keychain.put(password("eva")))
    try store.keychain.delete(password("eva"))
    let second = try store.keychain.put(password("eva"))
    try damage(second)
    try store.keychain.delete(second)
    #expect(refusal { try store.keychain.text(password("eva")) } == .notFound)
    #expect(try store.keychain.count() == 0)
  }

  @Test func metadataNeedNoSecret() throws {
    // The secret cannot be opened, which shows that the call does not open it.
    let store = try DiskStore()
    let reference = try store.keychain.put(password(), "s3cr3t", [.label: "L"])
    for column in ["secret", "key"] { try store.damage(column, of: reference) }
    #expect(try store.keychain.item(for: password()).attributes.label == "L")
    #expect(try store.keychain.item(for: reference).hasSecret)
    let query = KeychainQuery(.genericPassword, [.label: "L"])
    #expect(try store.keychain.items(matching: query).count == 1)
    #expect(try store.keychain.items(matching: query).withheld.isEmpty)
    #expect(refusal { try store.keychain.items(matching: query, secrets: true) } == .damaged)
  }

  @Test func secretsOfTwoRowsSwappedAreFoundOut() throws {
    let store = try DiskStore()
    let eva = try store.keychain.put(password("eva"), "hers")
    let adam = try store.keychain.put(password("adam"), "his!")
    // Negative control: an edit that changes nothing is accepted.
    try store.edit { try $0.execute(sql: "UPDATE item SET secret = secret, key = key") }
    #expect(try store.keychain.text(password("eva")) == "hers")
    try store.edit { database in
      func columns(_ reference: PersistentReference) throws -> Row {
        try #require(
          try Row.fetchOne(
            database, sql: "SELECT key, secret FROM item WHERE id = ?",
            arguments: [reference.rowID]))
      }
      let rows = try [columns(eva), columns(adam)]
      for (reference, row) in [(eva, rows[1]), (adam, rows[0])] {
        try database.execute(
          sql: "UPDATE item SET key = ?, secret = ? WHERE id = ?",
          arguments: [row["key"] as Data, row["secret"] as Data, reference.rowID])
      }
    }
    for account in ["eva", "adam"] {
      #expect(refusal { try store.keychain.text(password(account)) } == .damaged)
    }
  }

  @Test func aRowPutBackIsFoundOut() throws {
    let store = try DiskStore()
    let reference = try store.keychain.put(password(), "old")
    var kept: [Row] = []
    try store.edit { kept = try Row.fetchAll($0, sql: "SELECT * FROM item") }
    func restore() throws {
      try store.edit { database in
        for row in kept {
          try database.execute(
            sql: "INSERT OR REPLACE INTO item VALUES (?,?,?,?,?,?,?,?,?)",
            arguments: StatementArguments(row.databaseValues))
        }
      }
    }
    // Negative control: restoring the current bytes is not a change.
    try restore()
    #expect(try store.keychain.text(password()) == "old")
    try store.keychain.change(password(), "new")
    try restore()
    #expect(refusal { try store.keychain.text(password()) } == .damaged)
    try store.keychain.delete(reference)
    // A row that the index does not name is not an item.
    try restore()
    #expect(refusal { try store.keychain.text(password()) } == .notFound)
    try store.keychain.put(password(), "again")
    #expect(try store.keychain.text(password()) == "again")
    #expect(try store.keychain.count() == 1)
  }

  @Test func aRowTakenOutIsNoItemNotFound() throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    try store.edit { try $0.execute(sql: "DELETE FROM item") }
    #expect(refusal { try store.keychain.text(password()) } == .damaged)
    #expect(
      refusal { try store.keychain.getOrCreate(password()) { SecretBytes(utf8: "") }.count }
        == .damaged)
    try store.keychain.put(password(), "again")
    #expect(try store.keychain.text(password()) == "again")
  }
}
