import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// The terms of a locked item, which show what it matches, are authenticated.
@Suite struct TermDamageTests {
  /// Calls a closure with a store of two items, whose comments are their accounts.
  private func withStore(
    _ body: (DiskStore, _ eva: PersistentReference, _ adam: PersistentReference) throws -> Void
  ) throws {
    let store = try DiskStore(passcode: "123456")
    let eva = try store.keychain.put(password("eva"), "hers", [.comment: "eva"])
    let adam = try store.keychain.put(password("adam"), "his", [.comment: "adam"])
    try body(store, eva, adam)
  }

  private func query(_ comment: String) -> KeychainQuery {
    KeychainQuery(.genericPassword, [.comment: .text(comment)])
  }

  private func terms(_ store: DiskStore, of reference: PersistentReference) throws -> [UInt8] {
    var box: [UInt8] = []
    try store.edit {
      box = Array(
        try Data.fetchOne(
          $0, sql: "SELECT terms FROM item WHERE id = ?", arguments: [reference.rowID]) ?? Data())
    }
    return box
  }

  private func setTerms(
    _ store: DiskStore, of reference: PersistentReference, to box: [UInt8]
  ) throws {
    try store.edit {
      try $0.execute(
        sql: "UPDATE item SET terms = ? WHERE id = ?", arguments: [Data(box), reference.rowID])
    }
  }

  @Test func damageIsNotReportedAsALock() throws {
    try withStore { store, eva, _ in
      store.keybag.lock()
      // Control: the undamaged terms show that only one item matches.
      #expect(refusal { try store.keychain.items(matching: query("eva")) } == .locked)
      #expect(try store.keychain.items(matching: query("nobody")).isEmpty)
      try store.damage("terms", of: eva)
      for comment in ["eva", "nobody"] {
        #expect(refusal { try store.keychain.items(matching: query(comment)) } == .damaged)
        #expect(refusal { try store.keychain.delete(matching: query(comment)) } == .damaged)
      }
      // The index still shows the other attributes.
      let mail = KeychainQuery(.genericPassword, [.service: "mail"])
      #expect(refusal { try store.keychain.items(matching: mail) } == .locked)
      #expect(try store.keychain.verify().problems.map(\.reference) == [eva])
    }
  }

  @Test func anOpenItemNeedsNoTerms() throws {
    try withStore { store, eva, adam in
      try store.damage("terms", of: eva)
      #expect(try store.keychain.text(eva) == "hers")
      #expect(try store.keychain.items(matching: query("eva")).map(\.reference) == [eva])
      #expect(try store.keychain.items(matching: query("adam")).map(\.reference) == [adam])
      #expect(try store.keychain.verify().problems.map(\.reference) == [eva])
    }
  }

  @Test func termsOfTwoItemsSwappedAreNoticed() throws {
    try withStore { store, eva, adam in
      let boxes = try [terms(store, of: eva), terms(store, of: adam)]
      try setTerms(store, of: eva, to: boxes[1])
      try setTerms(store, of: adam, to: boxes[0])
      store.keybag.lock()
      #expect(refusal { try store.keychain.delete(matching: query("eva")) } == .damaged)
      #expect(try store.keychain.count() == 2)
      // Control: each item's own terms are accepted.
      try setTerms(store, of: eva, to: boxes[0])
      try setTerms(store, of: adam, to: boxes[1])
      #expect(try store.keychain.delete(matching: query("eva")) == 1)
    }
  }

  @Test func olderTermsAreNoticed() throws {
    try withStore { store, eva, _ in
      let older = try terms(store, of: eva)
      try store.keychain.update(password("eva"), ItemChange(attributes: [.comment: "new"]))
      let newer = try terms(store, of: eva)
      try setTerms(store, of: eva, to: older)
      store.keybag.lock()
      #expect(refusal { try store.keychain.delete(matching: query("eva")) } == .damaged)
      // Control: the present terms are accepted.
      try setTerms(store, of: eva, to: newer)
      #expect(try store.keychain.delete(matching: query("eva")) == 0)
      #expect(try store.keychain.delete(matching: query("new")) == 1)
    }
  }

  @Test(arguments: ["metadata", "terms"])
  func theTermsOfAReplacedItemNameNothing(column: String) throws {
    let store = try DiskStore()
    let old = try store.keychain.put(password(), "old", [.label: "Old"])
    for damaged in Set([column, "terms"]) { try store.damage(damaged, of: old) }
    if column == "terms" { try store.keychain.delete(password()) }
    let new = try store.keychain.put(password(), "new", [.label: "New"])
    try store.edit {
      try $0.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [new.rowID])
    }
    func query(_ label: String) -> KeychainQuery {
      KeychainQuery(.genericPassword, [.label: .text(label)])
    }
    #expect(try store.keychain.delete(matching: query("Old")) == 0)
    // Control: the index shows the label of the item whose row is missing.
    #expect(try store.keychain.delete(matching: query("New")) == 1)
  }

  @Test func aRepairSealsTheTermsAgain() throws {
    try withStore { store, eva, _ in
      try store.damage("terms", of: eva)
      try store.keychain.repair()
      #expect(try store.keychain.verify().problems.isEmpty)
      #expect(try store.keychain.text(eva) == "hers")
      store.keybag.lock()
      #expect(try store.keychain.items(matching: query("nobody")).isEmpty)
      #expect(try store.keychain.delete(matching: query("eva")) == 1)
    }
  }
}
