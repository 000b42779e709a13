import AtRest
import Foundation
import GRDB
import Testing

/// A database locks with the class of its record.
@Suite struct DatabaseLockTests {
  @Test func cannotBeOpenedWhileLocked() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    _ = try eva.databaseWithNote()
    test.device.lock()
    expect(.locked) { _ = try eva.database(in: .archive) }
    expect(.locked) { _ = try eva.database(in: VaultRecord("new", .attachment)) }
    try test.device.unlock()
    #expect(try eva.database(in: .archive).notes == ["walrus"])
  }

  @Test func closesAtTheLockAndOpensAfterTheUnlock() throws {
    let test = try TestVault()
    let database = try test.open().logIn("eva").databaseWithNote()
    let pool = try database.pool
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 1)
    test.device.lock()
    expect(.locked) { _ = try database.notes }
    expect(.locked) { try database.add("late") }
    expect(.locked) { _ = try database.pool }
    #expect(throws: DatabaseError.self) {
      try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
    }
    try test.device.unlock()
    #expect(try database.notes == ["walrus"])
    #expect(try database.pool !== pool)
  }

  @Test func stopsAClosureThatIsRunning() throws {
    let test = try TestVault()
    let database = try test.open().logIn("eva").databaseWithNote()
    nonisolated(unsafe) var read: [String] = []
    expect(.locked) {
      try database.read { db in
        read += try String.fetchAll(db, sql: "SELECT text FROM note")
        test.device.lock()
        read += try String.fetchAll(db, sql: "SELECT text FROM note")
      }
    }
    #expect(read == ["walrus"])
  }

  @Test func rollsBackAWriteThatIsRunning() throws {
    let test = try TestVault()
    let database = try test.open().logIn("eva").databaseWithNote()
    expect(.locked) {
      try database.write { db in
        try db.execute(sql: "DELETE FROM note")
        test.device.lock()
        try db.execute(sql: "INSERT INTO note VALUES ('late')")
      }
    }
    try test.device.unlock()
    #expect(try database.notes == ["walrus"])
  }

  @Test func staysOpenIfItsClassDoes() throws {
    let test = try TestVault()
    test.options.policy[.consumerGrade].accessibility = .afterFirstUnlockThisDeviceOnly
    let database = try test.open().logIn("eva").databaseWithNote()
    let pool = try database.pool
    test.device.lock()
    #expect(try database.notes == ["walrus"])
    #expect(try database.pool === pool)
    try test.device.restart()
    expect(.locked) { _ = try test.open().logIn("eva").database(in: .archive) }
  }
}
