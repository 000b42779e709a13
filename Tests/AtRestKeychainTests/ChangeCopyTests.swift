import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import GRDB
import Testing

/// A damaged row of the table of changes, or a damaged root of the index, affects no item, and no older
/// state is accepted in its place.
@Suite struct ChangeCopyTests {
  private static let damages = [
    "UPDATE change SET box = zeroblob(length(box)) WHERE id = ?", "DELETE FROM change WHERE id = ?",
    "UPDATE change SET box = substr(box, 1, 20) WHERE id = ?",
    // An older change in its place.
    """
    UPDATE change SET box = (SELECT box FROM change ORDER BY abs(id) LIMIT 1) WHERE id = ?
    """,
  ]

  private func filled() throws -> DiskStore {
    let store = try DiskStore()
    for account in ["a", "b", "c", "d"] { try store.keychain.put(key(account), "old") }
    for account in ["a", "b"] { _ = try store.keychain.set(key(account), secret: secret("new")) }
    try store.keychain.delete(key("d"))
    return store
  }

  private func key(_ account: String) -> PrimaryKey {
    .genericPassword(service: "s", account: account)
  }

  private func secret(_ text: String) -> SecretBytes { SecretBytes(utf8: text) }

  private func check(_ store: DiskStore, count: Int = 3) throws {
    #expect(try store.keychain.text(key("a")) == "new")
    #expect(try store.keychain.text(key("b")) == "new")
    #expect(try store.keychain.text(key("c")) == "old")
    #expect(refusal { try store.keychain.text(key("d")) } == .notFound)
    let found = try store.keychain.items(
      matching: KeychainQuery(.genericPassword, [.service: "s"]))
    #expect(found.count == count && found.withheld.isEmpty)
  }

  private func numbers(_ store: DiskStore) throws -> [Int64] {
    var numbers: [Int64] = []
    try store.edit {
      numbers = try Int64.fetchAll($0, sql: "SELECT id FROM change ORDER BY id")
    }
    return numbers
  }

  @Test(arguments: damages) func anyOneRowMayBeDamaged(_ damage: String) throws {
    let count = try numbers(filled()).count
    #expect(count >= 14)
    for index in 0..<count {
      let store = try filled()
      let number = try numbers(store)[index]
      try store.edit { try $0.execute(sql: damage, arguments: [number]) }
      try check(store)
      try store.keychain.put(key("e"), "later")
      try check(store, count: 4)
      // The next transaction wrote the row again.
      if number > 0 { #expect(try store.keychain.verify().problems.isEmpty) }
    }
  }

  @Test func aDifferenceIsReportedByTheCheck() throws {
    let store = try filled()
    #expect(try store.keychain.verify().problems.isEmpty)
    let last = try #require(try numbers(store).last)
    try store.edit { try $0.execute(sql: Self.damages[0], arguments: [last]) }
    #expect(try store.keychain.verify().problems.count == 1)
  }

  @Test func theRootMayBeDamaged() throws {
    for id in [0, -1] {
      for sql in ["UPDATE node SET box = zeroblob(80)", "DELETE FROM node"] {
        let store = try filled()
        try store.edit { try $0.execute(sql: "\(sql) WHERE id = ?", arguments: [id]) }
        try check(store)
      }
    }
  }

  /// Control: without the copy, nothing is returned, because any item may have been changed.
  @Test(arguments: damages.prefix(3)) func bothDamagedIsDamaged(_ damage: String) throws {
    let numbers = try numbers(filled()).filter { $0 > 0 }
    for index in numbers.indices.dropLast() {
      let store = try filled()
      let number = try self.numbers(store).filter { $0 > 0 }[index]
      #expect(
        refusal {
          try store.edit {
            try $0.execute(sql: damage, arguments: [number])
            try $0.execute(sql: damage, arguments: [-number])
          }
        } == .damaged)
    }
  }

  /// Control: the last change without its copy is an older state, which the device remembers.
  @Test func theLastChangeWithoutItsCopyIsNotForgotten() throws {
    let store = try filled()
    let last = try #require(try numbers(store).last)
    #expect(
      refusal {
        try store.edit { try $0.execute(sql: "DELETE FROM change WHERE abs(id) = \(last)") }
      } == .rolledBack)
  }

  /// A row that belongs to no change is left out only if the changes around it follow each other.
  @Test func aForeignRowBetweenChangesHidesNothing() throws {
    let store = try DiskStore()
    try store.keychain.put(key("a"), "old")
    // Numbers of changes are consecutive, so the gap is made by a transaction that fails.
    _ = try? store.keychain.transaction {
      try store.keychain.put(key("x"))
      throw AtRestError(.canceled, "Undone.", remedy: "None.")
    }
    _ = try store.keychain.set(key("a"), secret: secret("new"))
    let numbers = try numbers(store).filter { $0 > 0 }
    let gap = try #require(zip(numbers, numbers.dropFirst()).first { $1 > $0 + 1 }).0 + 1
    try store.edit { try $0.execute(sql: "INSERT INTO change VALUES (\(gap), zeroblob(99))") }
    #expect(try store.keychain.text(key("a")) == "new")
    // Control: after the last change, the row may be a later change that was damaged.
    #expect(
      refusal {
        try store.edit {
          try $0.execute(sql: "INSERT INTO change VALUES (\(numbers.last! + 1), zeroblob(99))")
        }
      } == .damaged)
  }
}
