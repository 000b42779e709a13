import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct AuditTests {
  @Test(arguments: TestDatabase.kinds)
  func `Events are listed in order`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try store.revokeDevice(device.id)
    var events: [String] = []
    let (number, chain) = try store.forEachAuditEntry { events.append($0.event) }
    #expect(number == 4 && chain.count == 32)
    #expect(events[0] == "account created: eva")
    #expect(events[3].hasPrefix("device revoked: "))
  }

  @Test(
    .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."),
    arguments: [
      "DELETE FROM keyserver_audit WHERE id = '\\x0000000000000002'",
      "DELETE FROM keyserver_audit WHERE id = '\\x0000000000000003'",
      "UPDATE keyserver_audit SET time = time + 1",
      "DELETE FROM keyserver_audit",
      "DELETE FROM keyserver_state WHERE id = 'state'::bytea",
    ])
  func `A log that was altered is detected`(sql: String) throws {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store()
    for name in ["eva", "tom", "kim"] { try store.createAccount(name) }
    _ = try store.forEachAuditEntry { _ in }
    try database.psql(sql)
    expectError(.damaged) { _ = try store.forEachAuditEntry { _ in } }
  }
}
