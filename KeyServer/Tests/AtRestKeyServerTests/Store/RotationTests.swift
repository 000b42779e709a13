import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// A new root key under a new server key.
@Suite struct RotationTests {
  private let newKey = RandomBytes.data(count: 32)
  private let share = KeyRequest(.deviceShare, name: "disk")

  /// Makes a store with an account, a device, a share, a failed attempt and names that do not exist.
  private func fill(_ store: KeyServerStore) throws -> TestDevice {
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    _ = try store.key(KeyRequest(.deviceShare, name: "disk", creates: true), device.signature())
    _ = try device.attempt("wrong", store)
    return device
  }

  private func publicKey(_ account: String, _ store: KeyServerStore) throws -> GroupElement {
    try TestAttempt("guess", account: account, publicKey: nil, store, nil).answer.publicKey
  }

  @Test(arguments: TestDatabase.kinds)
  func `Everything works as before, for a name without an account too`(kind: TestDatabase.Kind)
    throws
  {
    let database = try TestDatabase(kind)
    let store = try database.store()
    let device = try fill(store)
    let former = try store.key(share, device.signature()).key
    let nobody = try publicKey("nobody", store)
    let entries = try store.forEachAuditEntry { _ in }.0
    try store.rotateKeys(to: SecretBytes(newKey))
    for store in [store, try database.store(serverKey: newKey)] {
      #expect(try store.key(share, device.signature()).key == former)
      #expect(try publicKey("nobody", store) == nobody)
      let right = try device.attempt("right", store)
      try store.prove(right.proof, device.signature())
      try store.verifyTables()
    }
    var events: [String] = []
    let end = try store.forEachAuditEntry { events.append($0.event) }
    #expect(events[Int(entries)] == "root key rotated" && end.0 > entries)
    #expect(try store.isSealed(under: SecretBytes(newKey)))
  }

  @Test(arguments: TestDatabase.kinds)
  func `Attempts stay counted`(kind: TestDatabase.Kind) throws {
    let database = try TestDatabase(kind)
    let store = try database.store()
    let device = try fill(store)
    _ = try publicKey("nobody", store)
    try store.rotateKeys(to: SecretBytes(newKey))
    let again = try database.store(serverKey: newKey)
    #expect(try device.attempt("wrong", again).answer.remaining == 8)
    #expect(
      try TestAttempt("guess", account: "nobody", publicKey: nil, again, nil).answer.remaining == 8)
  }

  @Test func `A former server key opens no later dump, and the new one no former dump`() throws {
    let database = try TestDatabase(.embedded)
    let store = try database.store()
    let device = try fill(store)
    let former = try database.backup()
    try store.revokeDevice(device.id)
    try store.rotateKeys(to: SecretBytes(newKey))
    let later = try database.backup()
    expectError(.damaged) { _ = try later.store() }
    expectError(.damaged) { _ = try former.store(serverKey: newKey) }
    // The controls: each opens its own, and the former one has the share that was destroyed since.
    _ = try later.store(serverKey: newKey)
    _ = try former.store().key(share, device.signature())
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `A row from before the rotation is damaged, whoever reads it`() throws {
    let database = try SavedDatabase()
    let store = try database.store()
    let device = try fill(store)
    try database.save(["devices", "keys"])
    try store.revokeDevice(device.id)
    try store.rotateKeys(to: SecretBytes(newKey))
    try database.putBack(["devices", "keys"])
    for keepsLedger in [false, true] {
      let careless = try database.base.store(serverKey: newKey, keepsLedger: false)
      if keepsLedger { try careless.acceptTables() }
      let again = try database.base.store(serverKey: newKey, keepsLedger: keepsLedger)
      expectError(.damaged) { try again.key(share, device.signature()) }
    }
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `Rows that were put back are not sealed as if they were present`() throws {
    let database = try SavedDatabase()
    let store = try database.store()
    let device = try fill(store)
    try database.save(["devices"])
    try store.revokeDevice(device.id)
    try database.putBack(["devices"])
    let operatorStore = try database.store(keepsLedger: false)
    let error = expectError(.rolledBack) { try operatorStore.rotateKeys(to: SecretBytes(newKey)) }
    #expect(error?.message.contains("keyserver_devices") == true)
    #expect(error?.message.contains("Nothing was changed") == true)
    #expect(try !operatorStore.isSealed(under: SecretBytes(newKey)))
    _ = try database.store(keepsLedger: false).accounts()
  }

  @Test(arguments: TestDatabase.kinds)
  func `A server without the new key refuses everything, and one that has it goes on`(
    kind: TestDatabase.Kind
  ) throws {
    let database = try TestDatabase(kind)
    let store = try database.store()
    let device = try fill(store)
    let prepared = try database.store(nextServerKey: newKey)
    try database.store(keepsLedger: false).rotateKeys(to: SecretBytes(newKey))
    let error = expectError(.keyServerOffline) { try store.key(share, device.signature()) }
    #expect(error?.message.contains("The root key was rotated") == true)
    expectError(.keyServerOffline) { try device.attempt("right", store) }
    expectError(.keyServerOffline) { try store.createAccount("tom") }
    expectError(.keyServerOffline) { try store.checkHealth() }
    _ = try prepared.key(share, device.signature())
    try prepared.prove(device.attempt("right", prepared).proof, device.signature())
    try prepared.checkHealth()
    // After its next start too, with the settings as they were.
    _ = try database.store(nextServerKey: newKey).key(share, device.signature())
  }

  @Test func `The present server key is no new one`() throws {
    let database = try TestDatabase(.embedded)
    let store = try database.store()
    expectError(.invalidArgument) { try store.rotateKeys(to: SecretBytes(database.serverKey)) }
    _ = try database.store()
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `Requests are refused as busy while rows are sealed, and at once`() throws {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store()
    let device = try fill(store)
    let lock = "SELECT pg_advisory_lock(471125001, hashtext(current_schema())), pg_sleep(600)"
    let output = TemporaryFile()
    let holder = try ChildProcess.start(
      [
        "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-d",
        database.connectionString ?? "", "-c",
        lock,
      ], output: output.path)
    defer {
      kill(holder, SIGKILL)
      ChildProcess.wait(holder)
    }
    let held = """
      SELECT count(*) FROM pg_locks WHERE classid = 471125001 AND granted AND mode = 'ExclusiveLock'
      AND objid::BIGINT = (hashtext(current_schema())::BIGINT & 4294967295)
      """
    #expect(try eventually { try database.psql(held) == "1" })
    for _ in 0..<3 {
      expectError(.busy) { try store.key(share, device.signature()) }
      expectError(.busy) { try device.attempt("right", store) }
    }
    // A server is not dead because of it.
    try store.checkHealth()
  }
}
