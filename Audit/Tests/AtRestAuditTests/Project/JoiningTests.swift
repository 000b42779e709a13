import AtRestAudit
import AtRestContainers
import Foundation
import Testing

/// Code that stores a value, joined with the place in a container where the value was found.
@Suite struct JoiningTests {
  private static let canary = "violet-kestrel-48"
  private static let domain = "Library/Preferences/org.example.bank.plist"

  private static func list(_ key: String) -> String {
    "<plist version=\"1.0\"><dict><key>\(key)</key><string>\(canary)</string></dict></plist>"
  }

  /// Returns the joined findings of code in one file and of a container.
  private func joined(
    _ code: String, _ container: [String: String], file: String = "App/Store.swift"
  ) throws -> [JoinedFinding] {
    var audit = ContainerAudit(
      name: "Bank", ContainerSource(files: container.mapValues { Array($0.utf8) }))
    audit.canaries = [try Canary(name: "note", value: Self.canary)]
    let code = try Audit(tree: SourceTree(files: [file: code])).run()
    return try code.adding(audit.run()).joined
  }

  private func joined(
    writing slot: StorageSlot, finding place: StorageSlot, at path: String,
    files: [String] = []
  ) -> [JoinedFinding] {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.writes = [StorageWrite(slot, at: Sample.location("A.swift", 3, 1, 3, 9))]
    let location = Sample.location("Bank/\(path)", 1, 1, 1, 1)
    report.findings = [
      Finding(
        rule: "container-canary", severity: .high, location: location, message: "Found.",
        anchor: "", exhibit: Exhibit(locator: ["x"], slot: place))
    ]
    report.containers = [
      ContainerSummary(
        name: "Bank",
        files: (files + [path]).map {
          .init(path: "Bank/\($0)", type: "SQLite", size: 1, verdict: .plaintext)
        })
    ]
    report.join()
    return report.joined
  }

  @Test func joinsAKeyOfPreferences() throws {
    let code = """
      func remember(password: String) {
        UserDefaults.standard.set(password, forKey: Keys.login)
      }
      enum Keys { static let login = "loginPassword" }
      """
    let found = try #require(try joined(code, [Self.domain: Self.list("loginPassword")]).first)
    #expect(found.slot == .preference(suite: nil, key: "loginPassword"))
    #expect(found.writes.map(\.start.line) == [2])
    #expect(found.code.map(\.rule) == ["userdefaults-sensitive"])
    #expect(found.found.map(\.location.path) == ["Bank/\(Self.domain)"])
    #expect(found.severity == .high)
    #expect(try joined(code, [Self.domain: Self.list("login")]).isEmpty)
  }

  /// A canary shows that a value is sensitive, whatever its name is.
  @Test func joinsCodeThatNoRuleReports() throws {
    let code = """
      func keep(draft: String) { UserDefaults.standard.set(draft, forKey: "draft") }
      """
    let found = try #require(try joined(code, [Self.domain: Self.list("draft")]).first)
    #expect(found.code.isEmpty)
    #expect(found.writes.map(\.path) == ["App/Store.swift"])
  }

  @Test(arguments: [
    "func a(v: String) { UserDefaults.standard.setValue(v, forKey: \"draft\") }",
    "let store = UserDefaults.standard\nfunc a(v: String) { store[\"draft\"] = v }",
    "struct A { @AppStorage(\"draft\") var text = \"\" }",
    """
    class Settings {
      func save(_ value: String, under key: String) {
        UserDefaults.standard.set(value, forKey: key)
      }
    }
    func a(settings: Settings, v: String) { settings.save(v, under: "draft") }
    """,
    """
    func a(v: String) {
      CFPreferencesSetAppValue("draft" as CFString, v as CFString, kCFPreferencesCurrentApplication)
    }
    """,
  ])
  func knowsTheWaysToWritePreferences(code: String) throws {
    #expect(try joined(code, [Self.domain: Self.list("draft")]).count == 1)
    #expect(try joined(code, [Self.domain: Self.list("other")]).isEmpty)
  }

  @Test func readsObjectiveC() throws {
    let code = """
      - (void)keep:(NSString *)text {
        [[NSUserDefaults standardUserDefaults] setObject:text forKey:@"draft"];
      }
      """
    #expect(
      try joined(code, [Self.domain: Self.list("draft")], file: "A.m").map(\.writes.count) == [1])
  }

  @Test func tellsSuitesApart() throws {
    let shared = "Shared/Library/Preferences/group.org.example.plist"
    let standard = "func a(v: String) { UserDefaults.standard.set(v, forKey: \"draft\") }"
    let suite = """
      func a(v: String) { UserDefaults(suiteName: "group.org.example")!.set(v, forKey: "draft") }
      """
    let unknown = """
      func a(v: String, n: String) { UserDefaults(suiteName: n)!.set(v, forKey: "draft") }
      """
    #expect(try joined(suite, [shared: Self.list("draft")]).count == 1)
    #expect(try joined(standard, [shared: Self.list("draft")]).isEmpty)
    #expect(try joined(suite, [Self.domain: Self.list("draft")]).isEmpty)
    #expect(try joined(unknown, [shared: Self.list("draft")]).isEmpty)
  }

  /// Nothing is joined if several files could be the app's own preferences.
  @Test func knowsTheAppsOwnPreferences() throws {
    let code = "func a(v: String) { UserDefaults.standard.set(v, forKey: \"draft\") }"
    let other = "Library/Preferences/com.vendor.analytics.plist"
    var files = [Self.domain: Self.list("x"), other: Self.list("draft")]
    #expect(try joined(code, files).isEmpty)
    files["Library/SplashBoard/Snapshots/sceneID:org.example.bank-default/a.txt"] = "a"
    #expect(try joined(code, files).isEmpty)
    files[Self.domain] = Self.list("draft")
    #expect(try joined(code, files).map(\.found.first?.location.path) == ["Bank/\(Self.domain)"])
    let backup = "AppDomain-org.example.bank/Library/Preferences/org.example.bank.plist"
    #expect(try joined(code, [backup: Self.list("draft"), other: Self.list("draft")]).count == 2)
  }

  @Test func joinsAFileThatIsTheOnlyOneOfItsName() throws {
    let code = """
      func save(text: String, to folder: URL) throws {
        try text.write(
          to: folder.appendingPathComponent("note.txt"), atomically: true, encoding: .utf8)
      }
      """
    let found = try joined(code, ["Documents/note.txt": Self.canary])
    #expect(found.map(\.slot) == [.file(name: "note.txt")])
    #expect(
      try joined(code, ["Documents/note.txt": Self.canary, "tmp/note.txt": "other"]).isEmpty)
    #expect(try joined(code, ["Documents/note.md": Self.canary]).isEmpty)
    #expect(try joined(code, ["Payload/Bank.app/note.txt": Self.canary]).isEmpty)
  }

  @Test func joinsColumnsAndAttributes() {
    let place = StorageSlot.column(table: "Users", column: "Token")
    func count(_ slot: StorageSlot, _ place: StorageSlot = place) -> Int {
      joined(writing: slot, finding: place, at: "Documents/a.db").count
    }
    #expect(count(.column(table: "users", column: "token")) == 1)
    #expect(count(.column(table: "users", column: nil)) == 1)
    #expect(count(.column(table: "users", column: "name")) == 0)
    #expect(count(.column(table: "accounts", column: "token")) == 0)
    let core = StorageSlot.column(table: "ZACCOUNT", column: "ZPASSWORD")
    #expect(count(.attribute(entity: "Account", name: "password"), core) == 1)
    #expect(count(.attribute(entity: "Account", name: "name"), core) == 0)
    #expect(count(.attribute(entity: "Users", name: "token")) == 0)
  }

  @Test func joinsItemsCookiesAndResponses() {
    func count(_ slot: StorageSlot, _ place: StorageSlot) -> Int {
      joined(writing: slot, finding: place, at: "a").count
    }
    let item = StorageSlot.keychainItem(service: "bank", account: "eva")
    #expect(count(.keychainItem(service: "bank", account: nil), item) == 1)
    #expect(count(.keychainItem(service: nil, account: "eva"), item) == 1)
    #expect(count(.keychainItem(service: "bank", account: "ada"), item) == 0)
    let cookie = StorageSlot.cookie(domain: ".example.org", name: "sid")
    #expect(count(.cookie(domain: "example.org", name: "sid"), cookie) == 1)
    #expect(count(.cookie(domain: nil, name: "sid"), cookie) == 1)
    #expect(count(.cookie(domain: "example.com", name: "sid"), cookie) == 0)
    let response = StorageSlot.response(host: "api.example.org")
    #expect(count(response, response) == 1)
    #expect(count(.response(host: "example.org"), response) == 0)
  }

  @Test func readsThePlaceOfALocator() {
    func slot(_ path: String, _ steps: Locator.Step...) -> StorageSlot? {
      Locator(path, steps).slot
    }
    let list = "Library/Preferences/a.b.plist"
    #expect(slot(list, .keyPath("user.pin")) == .preference(suite: "a.b", key: "user"))
    #expect(slot(list, .keyPath("\"a.b\".pin")) == .preference(suite: "a.b", key: "a.b"))
    #expect(slot(list, .keyPath("pins[2]")) == .preference(suite: "a.b", key: "pins"))
    #expect(slot("Documents/a.plist", .keyPath("pin")) == nil)
    #expect(
      slot("a.db", .cell(table: "t", row: 3, column: "c")) == .column(table: "t", column: "c"))
    #expect(
      slot(
        "Library/Caches/a/Cache.db",
        .cell(table: "cfurl_cache_receiver_data", row: 1, column: "receiver_data"),
        .record("https://API.example.org/v1?a=b")) == .response(host: "api.example.org"))
    #expect(
      slot("Library/Caches/a/fsCachedData/1A", .record("https://api.example.org/"))
        == .response(host: "api.example.org"))
    #expect(
      slot("Library/Cookies/Cookies.binarycookies", .record(".example.org/ sid"))
        == .cookie(domain: ".example.org", name: "sid"))
    #expect(
      Locator("a", [.cell(table: "t", row: 3, column: "c"), .keyPath("a[12].b"), .line(4)]).column
        == ["t.c", "a[].b"])
  }
}
