@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// What somebody with access to the database can see and do.
@Suite struct SealedRowTests {
  /// A name that is too long to be in random bytes by chance.
  private static let share = "disk of the telephone"

  private func makeStore(_ database: TestDatabase) throws -> (KeyServerStore, TestDevice) {
    let store = try database.store()
    try store.createAccount("eva@example.org")
    let device = try TestDevice(store, account: "eva@example.org", label: "Eva's telephone")
    try device.register("correct horse", store)
    _ = try store.key(
      KeyRequest(.deviceShare, name: Self.share, creates: true), device.signature())
    return (store, device)
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `A dump holds no names and no keys`() throws {
    let database = try TestDatabase(.postgreSQL)
    let (store, device) = try makeStore(database)
    guard case .postgreSQL(let connection) = database.place else { return }
    // A dump of everything would wait for the tables that other tests lock.
    let schema = try #require(connection.firstMatch(of: /search_path=(\w+)/)?.1)
    let dump = try ChildProcess.run(
      [
        "\(PostgreSQLServer.programs ?? "")/pg_dump", "--inserts", "--schema", String(schema), "-d",
        connection,
      ]
    ).text
    let share = try store.key(
      KeyRequest(.deviceShare, name: Self.share), device.signature())
    for secret in [
      Data("eva@example.org".utf8), Data("telephone".utf8), Data(Self.share.utf8), share.key,
      device.publicKey.bytes,
    ] { #expect(!dump.contains(secret.hexadecimal)) }
    // The control: the device's identifier is in a column of its own.
    #expect(dump.contains(device.id.hexadecimal))
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `Rows that were exchanged or edited are refused`() throws {
    let database = try TestDatabase(.postgreSQL)
    let (store, device) = try makeStore(database)
    try store.createAccount("tom")
    // The row of the attempts exists from an attempt to its proof.
    _ = try device.attempt("wrong", store)
    try database.psql("UPDATE keyserver_attempts SET edition = edition + 1")
    expectError(.damaged) { try device.attempt("right", store) }
    try database.psql("UPDATE keyserver_attempts SET edition = edition - 1")
    _ = try device.attempt("right", store)
    try database.psql(
      "UPDATE keyserver_accounts SET sealed = (SELECT sealed FROM keyserver_accounts LIMIT 1)")
    expectError(.damaged) { _ = try store.accounts() }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Another server key is refused`(kind: TestDatabase.Kind) throws {
    let database = try TestDatabase(kind)
    _ = try makeStore(database)
    expectError(.damaged) { _ = try database.store(serverKey: Data(count: 32)) }
    _ = try database.store()
  }
}
