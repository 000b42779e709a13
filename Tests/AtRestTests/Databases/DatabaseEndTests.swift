import AtRest
import Foundation
import GRDB
import Testing

/// A logout, a wipe, an expiry and a removal end a database, its files and its key.
@Suite struct DatabaseEndTests {
  /// A database of Eva, and one of Ada as a control.
  private func open(
    _ retention: Retention? = nil
  ) throws -> (test: TestVault, eva: Compartment, database: VaultDatabase, other: VaultDatabase) {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    let database = try eva.databaseWithNote(
      in: VaultRecord("archive", .attachment, keep: retention))
    return (test, eva, database, try vault.logIn("ada").databaseWithNote("of Ada"))
  }

  /// Expects that only the files of the other database remain, and that it is usable.
  private func expectOnlyOther(_ test: TestVault, _ other: VaultDatabase) throws {
    #expect(try other.notes == ["of Ada"])
    #expect(Set(test.valueFiles.map { $0.prefix(65) }).count == 1)
    #expect(try test.itemCount(of: "value.archive") == 1)
  }

  @Test func aLogout() throws {
    let (test, eva, database, other) = try open()
    let pool = try database.pool
    #expect(test.valueFiles.count == 6)
    try eva.logOut()
    try expectOnlyOther(test, other)
    expect(.loggedOut) { _ = try database.notes }
    expect(.loggedOut) { try database.add("late") }
    expect(.loggedOut) { _ = try eva.database(in: .archive) }
    #expect(throws: DatabaseError.self) {
      try pool.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
    }
    #expect(try eva.vault.logIn("eva").contents.isEmpty)
    try expectOnlyOther(test, other)
  }

  @Test func aLogoutInAnotherProcess() throws {
    let (test, eva, database, other) = try open()
    // Another vault does not know the open connections, as another process would not.
    try test.open().logIn("eva").logOut()
    expect(.loggedOut) { _ = try database.notes }
    #expect(try other.notes == ["of Ada"])
    _ = eva
  }

  @Test func aLogoutFromAClosure() throws {
    let (test, eva, database, other) = try open()
    nonisolated(unsafe) var read: [String] = []
    expect(.loggedOut) {
      try database.write { db in
        read += try String.fetchAll(db, sql: "SELECT text FROM note")
        try eva.logOut()
        read += try String.fetchAll(db, sql: "SELECT text FROM note")
      }
    }
    #expect(read == ["walrus"])
    try expectOnlyOther(test, other)
  }

  @Test func aWipe() throws {
    let (test, eva, database, other) = try open()
    try eva.vault.wipe()
    expect(.wiped) { _ = try database.notes }
    expect(.wiped) { _ = try other.notes }
    #expect(test.valueFiles.isEmpty)
    #expect(try test.allItems().isEmpty)
    #expect(try test.open().logIn("eva").contents.isEmpty)
  }

  @Test func itsExpiry() throws {
    let (test, eva, database, other) = try open(.days(2))
    test.device.advanceClock(by: 2 * 86_400 - 60)
    #expect(try database.notes == ["walrus"])
    test.device.advanceClock(by: 61)
    expect(.expired) { _ = try database.notes }
    expect(.notFound) { _ = try database.notes }
    try expectOnlyOther(test, other)
    // A new one may be made, which the former object does not reach.
    let new = try eva.databaseWithNote("new", in: .archive)
    #expect(try new.notes == ["new"])
    expect(.notFound) { _ = try database.notes }
  }

  @Test func anExpiryThatAPurgeFinds() throws {
    let (test, eva, database, other) = try open(.days(2))
    let pool = try database.pool
    test.device.advanceClock(by: 2 * 86_400 + 1)
    #expect(try eva.vault.purge() == 1)
    try expectOnlyOther(test, other)
    #expect(throws: DatabaseError.self) {
      try pool.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
    }
  }

  @Test func aTimeWithoutUse() throws {
    let (test, _, database, other) = try open(Retention(idle: .seconds(86_400)))
    for _ in 0..<3 {
      test.device.advanceClock(by: 50_000)
      #expect(try database.notes == ["walrus"])
    }
    test.device.advanceClock(by: 86_401)
    expect(.expired) { _ = try database.notes }
    try expectOnlyOther(test, other)
  }

  @Test func itsRemoval() throws {
    let (test, eva, database, other) = try open()
    #expect(try eva.remove(VaultRecord<Data>.archive))
    expect(.notFound) { _ = try database.notes }
    try expectOnlyOther(test, other)
    #expect(try !eva.remove(VaultRecord<Data>.archive))
  }

  @Test func aRemovalWhileLocked() throws {
    let (test, eva, database, other) = try open()
    test.device.lock()
    #expect(try eva.remove(VaultRecord<Data>.archive))
    try test.device.unlock()
    try eva.vault.purge()
    expect(.notFound) { _ = try database.notes }
    try expectOnlyOther(test, other)
  }

  @Test func aPurgeKeepsTheFilesOfOthers() throws {
    let (test, eva, database, _) = try open()
    let folder = try #require(test.valueFiles.first).prefix(33)
    let stray = String(repeating: "ab", count: 16)
    let values = test.folder.appendingPathComponent("values/\(folder)")
    let names = ["", "-wal", "-shm", "-journal"].map { stray + $0 }
    for name in names + ["notes.txt", stray + "-other"] {
      try Data([1]).write(to: values.appendingPathComponent(name))
    }
    try eva.vault.purge()
    let left = try FileManager.default.contentsOfDirectory(atPath: values.path)
    #expect(left.filter { $0.hasPrefix(stray) } == [stray + "-other"])
    #expect(left.contains("notes.txt"))
    #expect(try database.notes == ["walrus"])
  }
}
