import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Rows that somebody who writes to the database puts back as they were, to make valid again what was revoked,
/// withdrawn, destroyed or used.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct PutBackTests {
  enum Revival: String, CaseIterable, Sendable {
    case revokedDevice, revokedAccount, resetPassphrase, deletedAccount, destroyedShare,
      withdrawnVersion
    case usedCode
  }

  private static let tables = ["accounts", "attempts", "codes", "devices", "keys"]

  private let database: SavedDatabase
  private let store: KeyServerStore
  private let eva: TestDevice
  private let code: String

  init() throws {
    database = try SavedDatabase()
    store = try database.store()
    try store.createAccount("eva")
    eva = try TestDevice(store, account: "eva")
    try eva.register("right", store)
    _ = try store.key(KeyRequest(.deviceShare, name: "disk", creates: true), eva.signature())
    _ = try store.rotateKey(KeyRequest(.deviceShare, name: "disk"), eva.signature())
    code = try store.createCode(for: "eva")
  }

  /// Makes something invalid.
  private func destroy(_ revival: Revival) throws {
    switch revival {
    case .revokedDevice, .destroyedShare: try store.revokeDevice(eva.id)
    case .revokedAccount: try store.setAccount("eva", revoked: true)
    case .resetPassphrase: try store.resetPassphrase(of: "eva")
    case .deletedAccount: try store.deleteAccount("eva")
    case .withdrawnVersion:
      _ = try store.raiseMinimum(
        KeyRequest(.deviceShare, name: "disk", version: 2), eva.signature())
    case .usedCode: try enrol(store)
    }
  }

  /// Uses what was made invalid.
  private func use(_ revival: Revival, _ store: KeyServerStore) throws {
    switch revival {
    case .revokedDevice, .revokedAccount, .resetPassphrase, .deletedAccount:
      let right = try eva.attempt("right", store)
      try store.prove(right.proof, eva.signature())
    case .destroyedShare: _ = try store.key(KeyRequest(.deviceShare, name: "disk"), eva.signature())
    case .withdrawnVersion:
      _ = try store.key(KeyRequest(.deviceShare, name: "disk", version: 1), eva.signature())
    case .usedCode: try enrol(store)
    }
  }

  private func enrol(_ store: KeyServerStore) throws {
    _ = try store.enrol(
      Enrolment(code: code, publicKey: eva.key.publicKey.x963Representation, label: "another"),
      sequence: 1, isSigned: true)
  }

  @Test(arguments: Revival.allCases)
  func `A running server refuses rows that were put back`(revival: Revival) throws {
    try database.save(Self.tables)
    try destroy(revival)
    try database.putBack(Self.tables)
    // The control: a store that keeps no ledger does not notice it, as the operator's commands do not.
    let careless = try database.store(keepsLedger: false)
    try use(revival, careless)
    try database.putBack(Self.tables)
    expectError(.rolledBack) { try use(revival, store) }
  }

  @Test(arguments: Revival.allCases)
  func `A server does not start with rows that were put back`(revival: Revival) throws {
    try database.save(Self.tables)
    _ = try database.store()
    try destroy(revival)
    _ = try database.store()
    try database.putBack(Self.tables)
    let error = expectError(.rolledBack) { _ = try database.store() }
    #expect(error?.message.contains("Rows were put back, added or removed in: keyserver_") == true)
    let careless = try database.store(keepsLedger: false)
    expectError(.rolledBack) { try careless.verifyTables() }
    // The operator can accept them.
    try careless.acceptTables()
    try use(revival, database.store())
  }

  @Test func `A row that an operator changes later is still known to have been put back`() throws {
    try database.save(["devices"])
    try store.revokeDevice(eva.id)
    try database.putBack(["devices"])
    let careless = try database.store(keepsLedger: false)
    try careless.deleteAccount("eva")
    expectError(.rolledBack) { try careless.verifyTables() }
  }

  @Test func `What is removed is damaged, and not new`() throws {
    try database.psql("DELETE FROM keyserver_keys")
    expectError(.rolledBack) {
      try store.key(KeyRequest(.deviceShare, name: "disk", creates: true), eva.signature())
    }
    // The control: what never was is created.
    _ = try store.key(KeyRequest(.deviceShare, name: "other", creates: true), eva.signature())
    try database.psql("DELETE FROM keyserver_accounts WHERE owner = ''::bytea AND stamp <> 0")
    expectError(.rolledBack) { try eva.attempt("right", store) }
  }

  @Test func `Others are served meanwhile`() throws {
    try store.createAccount("tom")
    let tom = try TestDevice(store, account: "tom")
    try tom.register("right", store)
    try database.save(["devices"])
    try store.revokeDevice(eva.id)
    try database.putBack(["devices"])
    expectError(.rolledBack) { try eva.attempt("right", store) }
    try store.prove(tom.attempt("right", store).proof, tom.signature())
    try store.checkHealth()
  }

  @Test func `A row whose stamp was edited to the present one does not open`() throws {
    try database.save(["devices"])
    try store.revokeDevice(eva.id)
    let stamp = try database.psql("SELECT stamp FROM keyserver_devices")
    try database.putBack(["devices"])
    try database.psql("UPDATE keyserver_devices SET stamp = \(stamp)")
    expectError(.damaged) { try eva.attempt("right", store) }
  }

  // MARK: The log and the whole database

  @Test func `A running server notices that the log was cut with the tables`() throws {
    try database.save(Self.tables + ["state", "audit"])
    try store.revokeDevice(eva.id)
    // It has seen the entry.
    try store.observe()
    try database.putBack(Self.tables + ["state", "audit"])
    expectError(.rolledBack) { try eva.attempt("right", store) }
    expectError(.rolledBack) { try store.checkHealth() }
    // The limit: without a record, a server that starts now cannot know.
    let second = try database.store()
    _ = try eva.attempt("right", second)
  }

  @Test func `Another log of the same length is noticed`() throws {
    try database.save(Self.tables + ["state", "audit"])
    try store.revokeDevice(eva.id)
    try store.observe()
    try database.putBack(Self.tables + ["state", "audit"])
    try database.store().createAccount("tom")
    expectError(.rolledBack) { try eva.attempt("right", store) }
  }

  @Test func `A server that starts notices with its record that the log was cut`() throws {
    let file = TemporaryFile()
    let record = try DatabaseRecord(path: file.path, store: store)
    try record.advance()
    try database.save(Self.tables + ["state", "audit"])
    try store.revokeDevice(eva.id)
    try store.observe()
    // As each second. Nothing is written unless the log has grown.
    try record.follow()
    let written = try Data(contentsOf: URL(fileURLWithPath: file.path))
    try record.follow()
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == written)
    try database.putBack(Self.tables + ["state", "audit"])
    let later = TemporaryFile()
    try written.write(to: URL(fileURLWithPath: later.path))
    let second = try DatabaseRecord(path: later.path, store: database.store())
    expectError(.rolledBack) { try second.advance() }
  }

  @Test func `A record notices another log of the same length`() throws {
    let file = TemporaryFile()
    try database.save(Self.tables + ["audit"])
    let saved = "id = 'state'::bytea"
    try database.psql("CREATE TABLE saved_state AS SELECT * FROM keyserver_state WHERE \(saved)")
    let record = try DatabaseRecord(path: file.path, store: store)
    try store.revokeDevice(eva.id)
    try record.advance()
    let written = try Data(contentsOf: URL(fileURLWithPath: file.path))
    // The counter of the server stays as it is.
    try database.putBack(Self.tables + ["audit"])
    try database.psql(
      "DELETE FROM keyserver_state WHERE \(saved); INSERT INTO keyserver_state SELECT * FROM saved_state"
    )
    let other = try database.store()
    try other.createAccount("tom")
    let later = TemporaryFile()
    try written.write(to: URL(fileURLWithPath: later.path))
    let second = try DatabaseRecord(path: later.path, store: other)
    let error = expectError(.rolledBack) { try second.advance() }
    #expect(error?.message.contains("no entries, but they are others") == true)
  }

  // MARK: Attempts and sequence numbers

  @Test func `A running server notices that attempts were put back or removed`() throws {
    for sql in ["", "DELETE FROM keyserver_attempts"] {
      try database.save(["attempts"])
      for _ in 0..<3 { _ = try eva.attempt("wrong", store) }
      if sql.isEmpty { try database.putBack(["attempts"]) } else { try database.psql(sql) }
      expectError(.rolledBack) { try eva.attempt("wrong", store) }
      // The operator accepts it by unlocking the account.
      try database.store(keepsLedger: false).unlockAccount("eva")
      #expect(try eva.attempt("wrong", store).answer.remaining == 9)
      try database.psql("DROP TABLE saved_attempts")
    }
    // The limit: another server, or one that was restarted, has counted none of them.
    try database.save(["attempts"])
    for _ in 0..<3 { _ = try eva.attempt("wrong", store) }
    try database.putBack(["attempts"])
    _ = try eva.attempt("wrong", database.store())
  }

  @Test func `A running server accepts no request again whose number was put back`() throws {
    try database.save(["devices"])
    let request = KeyRequest(.deviceShare, name: "disk")
    let signature = try eva.signature()
    _ = try store.key(request, signature)
    try database.putBack(["devices"])
    expectError(.rolledBack) { try store.key(request, signature) }
    // The limit, and the control: the request is in order for a server that did not answer it.
    _ = try database.store().key(request, signature)
  }
}
