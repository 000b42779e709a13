@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// A database of version 1, which had neither stamps nor digests of its tables.
///
/// The fixture was made by the program of that time: two accounts, a device with a share, a passphrase, and an
/// attempt of a stranger at an account and at a name without one.
@Suite struct FormerVersionTests {
  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/database-version1.sql").path
  private static let key = Data(repeating: 0x0A, count: 32)

  private let database: TestDatabase

  init() throws {
    database = try TestDatabase(.embedded)
    guard case .embedded(let path) = database.place else { return }
    let made = try ChildProcess.run([
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())",
      path, Self.fixture,
    ])
    #expect(made.status == 0, "\(made.text)")
  }

  @Test func `It is brought to the present version, and answers as before`() throws {
    let store = try database.store(serverKey: Self.key)
    #expect(store.wasMigrated)
    let accounts = try store.accounts().sorted { $0.name < $1.name }
    #expect(accounts.map(\.name) == ["eva", "tom"] && accounts.map(\.attempts) == [1, 0])
    #expect(accounts.map(\.hasPassphrase) == [true, false])
    #expect(try store.devices().map(\.account) == ["eva"])
    try store.verifyTables()
    var events: [String] = []
    _ = try store.forEachAuditEntry { events.append($0.event) }
    #expect(events.count == 8 && events[7] == "database brought to version 2")
    for (name, key) in [
      (
        "eva",
        "02a8e15a736f33d8055472cd3a4f3d773d0c72eda1b42e96be32f6a156f27b1254421ebcadd8a6d2000a31b9c941dcc8c0"
      ),
      (
        "nobody",
        "0259e732646b59e60e77ae022f92f0f7c5dcdc0d003c9d0e1849fc58814c240af4590ec4dadc4dcd903991d385f0354b53"
      ),
    ] {
      let attempt = try TestAttempt(
        "guess", account: name, publicKey: nil, store, nil, suite: .p384)
      #expect(attempt.answer.publicKey.bytes.hexadecimal == key)
      #expect(attempt.answer.remaining == 8)
    }
    let again = try database.store(serverKey: Self.key)
    #expect(!again.wasMigrated)
  }

  @Test func `Another server key is refused, and nothing is changed`() throws {
    expectError(.damaged) { _ = try database.store() }
    #expect(try database.store(serverKey: Self.key).wasMigrated)
  }

  @Test func `A row that was edited stops it, and nothing is changed`() throws {
    guard case .embedded(let path) = database.place else { return }
    func run(_ sql: String) throws {
      let code =
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()"
      #expect(try ChildProcess.run(["python3", "-c", code, path, sql]).status == 0)
    }
    try run("UPDATE keyserver_devices SET time = time + 1")
    expectError(.damaged) { _ = try database.store(serverKey: Self.key) }
    try run("UPDATE keyserver_devices SET time = time - 1")
    #expect(try database.store(serverKey: Self.key).wasMigrated)
  }
}
