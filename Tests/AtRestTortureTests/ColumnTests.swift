import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// An attacker who can write the database changes every column of every row in turn. Every reading
/// call then returns the right answer, or reports damage. No answer is wrong, and nothing is
/// silently missing.
@Suite struct ColumnTests {
  private struct Edit {
    var name: String
    var sql: [String]
  }

  /// A store in which NULL can be written although the schema forbids it.
  private static let nullable = [
    "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '/*      */')",
    "PRAGMA schema_version = 1000000",
  ]
  private static let strict = [
    "UPDATE sqlite_schema SET sql = replace(sql, '/*      */', ' NOT NULL')",
    "PRAGMA schema_version = 1000001",
  ]

  private static func edits(_ store: TamperedStore) -> [Edit] {
    var edits: [Edit] = []
    for table in ["item", "node", "change"] {
      let rows = store.rows(table)
      for (number, row) in rows.enumerated() {
        let other: Int64 = rows[(number + 1) % rows.count]["id"]
        edits += Self.edits(of: row, number, table, other)
      }
    }
    return edits
  }

  private static func edits(
    of row: Row, _ number: Int, _ table: String, _ other: Int64
  ) -> [Edit] {
    let id: Int64 = row["id"]
    let columns = Array(row.columnNames)
    var edits: [Edit] = []
    func add(_ name: String, _ sql: [String]) {
      edits.append(Edit(name: "\(table) \(number) \(name)", sql: sql))
    }
    for column in columns {
      for (name, value) in Self.edits(of: column, in: row, table, other) {
        add(
          "\(column) \(name)",
          ["UPDATE OR REPLACE \(table) SET \(column) = \(value) WHERE id = \(id)"])
      }
      if column == "id" { continue }
      add(
        "\(column) null",
        Self.nullable + ["UPDATE \(table) SET \(column) = NULL WHERE id = \(id)"] + Self.strict)
    }
    add("removed", ["DELETE FROM \(table) WHERE id = \(id)"])
    let others = columns.filter { $0 != "id" }.joined(separator: ", ")
    add(
      "doubled",
      [
        "INSERT INTO \(table) (id, \(others)) "
          + "SELECT (SELECT max(id) + 1 FROM \(table)), \(others) FROM \(table) WHERE id = \(id)"
      ])
    if other != id {
      add(
        "swapped",
        [
          "UPDATE \(table) SET id = -77 WHERE id = \(id)",
          "UPDATE \(table) SET id = \(id) WHERE id = \(other)",
          "UPDATE \(table) SET id = \(other) WHERE id = -77",
        ])
    }
    return edits
  }

  private static func edits(
    of column: String, in row: Row, _ table: String, _ other: Int64
  ) -> [(String, String)] {
    let copied = "(SELECT copied.\(column) FROM \(table) AS copied WHERE copied.id = \(other))"
    guard case .blob(let data) = (row[column] as DatabaseValue).storage else {
      return [
        ("other", copied), ("zero", "0"), ("largest", "\(Int64.max)"),
        ("random", "\(Int64.random(in: 1 ... .max))"), ("type", column == "id" ? "-1" : "'text'"),
        ("class", column == "info" ? "(info & ~65280) | (12 << 8)" : "\(column) + 1"),
      ]
    }
    return [
      ("other", copied), ("zero", "zeroblob(\(data.count))"), ("empty", "x''"),
      ("largest", "x'\(String(repeating: "ff", count: max(1, data.count)))'"),
      ("random", "randomblob(\(max(1, data.count)))"), ("type", "'text'"),
    ]
  }

  @Test(arguments: [false, true]) func everyColumnOfEveryTable(isMerged: Bool) throws {
    let store = try TamperedStore(isMerged: isMerged)
    #expect(store.itemCount == 20)
    // Control: unmodified data can be read, and an edit without effect is not damage.
    try store.edited(["UPDATE item SET info = info"]) { #expect(store.faults() == []) }
    let edits = Self.edits(store)
    let step = Worker.isFull ? 1 : 17
    var count = 0
    for edit in edits.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
      count += 1
      try store.edited(edit.sql) {
        let faults = store.faults()
        #expect(faults == [], "\(edit.name)")
      }
    }
    try store.edited([]) { #expect(store.faults() == []) }
    print("columns, merged \(isMerged): \(count) of \(edits.count) edits")
  }

  /// Control: the checks report a store that differs from their expectations.
  @Test func theChecksSeeAFault() throws {
    let store = try TamperedStore(isMerged: false)
    try store.change(.genericPassword(service: "mail", account: "0"), "another secret")
    #expect(store.faults().contains { $0.contains("WRONG") })
    try store.remove(.internetPassword(server: "example.com", account: "1"))
    #expect(store.faults().contains { $0.contains("MISSING") })
  }
}

extension TamperedStore {
  /// Changes an item with a regular call of which the checks do not know.
  fileprivate func change(_ key: PrimaryKey, _ secret: String) throws {
    let keychain = try Keychain.open(keybag, identity: .owner(defaultGroup: "com.example.app"))
    defer { keychain.close() }
    try keychain.update(key, secret: SecretBytes(utf8: secret))
  }

  fileprivate func remove(_ key: PrimaryKey) throws {
    let keychain = try Keychain.open(keybag, identity: .owner(defaultGroup: "com.example.app"))
    defer { keychain.close() }
    try keychain.delete(key)
  }
}
