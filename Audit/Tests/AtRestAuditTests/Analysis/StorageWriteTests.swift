import AtRestAudit
import Testing

/// The names under which code stores values.
@Suite struct StorageWriteTests {
  private func slots(_ code: String, _ more: [String: String] = [:]) throws -> Set<StorageSlot> {
    let files = more.merging(["A.swift": code]) { $1 }
    return Set(try Audit(tree: SourceTree(files: files)).run().writes.map(\.slot))
  }

  @Test(arguments: [
    ("INSERT INTO users (name, token) VALUES (?, ?)", [["users", "name"], ["users", "token"]]),
    ("insert or replace into \\\"main\\\".\\\"users\\\" values (?)", [["main"]]),
    (
      "UPDATE users SET token = ?, seen = max(a = b, 1) WHERE id = ?",
      [["users", "token"], ["users", "seen"]]
    ),
    ("REPLACE INTO main.users VALUES (?)", [["users"]]),
    ("SELECT token FROM users", []),
    ("INSERT of a note", []),
  ])
  func readsStatements(statement: String, names: [[String]]) throws {
    let code = "func a(db: Database) { db.execute(sql: \"\(statement)\") }"
    let expected = names.map {
      StorageSlot.column(table: $0[0], column: $0.count > 1 ? $0[1] : nil)
    }
    #expect(try slots(code) == Set(expected))
  }

  @Test func readsModels() throws {
    let model = """
      <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel">
      <entity name="Account"><attribute name="note" attributeType="String"/></entity></model>
      """
    let code = """
      func a(account: Account, text: String) { account.note = text }
      @Model final class Entry { var body: String = ""; @Transient var draft = "" }
      """
    let found = try Audit(
      tree: SourceTree(files: ["A.swift": code, "M.xcdatamodel/contents": model])
    ).run().writes
    let note = StorageSlot.attribute(entity: "Account", name: "note")
    #expect(Set(found.map(\.slot)) == [note, .attribute(entity: "Entry", name: "body")])
    #expect(
      Set(found.filter { $0.slot == note }.map(\.location.path)) == [
        "A.swift", "M.xcdatamodel/contents",
      ])
  }

  @Test func readsItemsAndCookies() throws {
    let code = """
      func a(data: Data) {
        let query: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword, kSecAttrService: "bank", kSecAttrAccount: "eva",
          kSecValueData: data,
        ]
        SecItemAdd(query as CFDictionary, nil)
        let cookie = HTTPCookie(properties: [.name: "sid", .domain: "example.org", .value: "x"])
      }
      """
    #expect(
      try slots(code) == [
        .keychainItem(service: "bank", account: "eva"),
        .cookie(domain: "example.org", name: "sid"),
      ])
  }

  @Test func readsServers() throws {
    let code = """
      let base = URL(string: "https://api.example.org/v1")!
      func a(id: Int, name: String) {
        load("https://www.example.org/user/\\(id)")
        load("https://api.\\(name)")
        load("https://\\(name)/")
        load("https://eva:pass@example.net/")
      }
      """
    #expect(
      try slots(code) == [.response(host: "api.example.org"), .response(host: "www.example.org")])
  }
}
