import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Dispatch
import Foundation
import Synchronization
import Testing

/// An operator's command between the reading of an account and the count of an attempt.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct ChangedAccountTests {
  private let server: PostgreSQLServer
  private let connection: String

  private let store: KeyServerStore

  init() throws {
    server = try PostgreSQLServer.shared.get()
    let database = try TestDatabase(.postgreSQL)
    connection = try #require(database.connectionString)
    store = try database.store()
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    // A count stops before it makes the row of the attempts, until the lock is free.
    try run(
      """
      CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtext(TG_TABLE_SCHEMA)); RETURN NEW; END $$
        LANGUAGE plpgsql;
      CREATE TRIGGER wait BEFORE INSERT ON keyserver_attempts
        FOR EACH ROW EXECUTE FUNCTION wait();
      """)
  }

  @discardableResult
  private func run(_ sql: String) throws -> String {
    let (status, text) = try ChildProcess.run([
      "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
      "-d", connection, "-c", sql,
    ])
    #expect(status == 0, "\(text)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func locks(granted: Bool) throws -> Int {
    let text = try run(
      """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted = \(granted)
        AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid
      """)
    return Int(text) ?? -1
  }

  /// Runs a command of the operator while an attempt waits to be counted. Returns the public key
  /// before and the one in the attempt's answer.
  private func attempt(during command: () throws -> Void) throws -> (Data, Data) {
    let before = try guess()
    try store.unlockAccount("eva")
    let output = TemporaryFile()
    let holder = try ChildProcess.start(
      [
        "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-d", connection, "-c",
        "SELECT pg_advisory_lock(hashtext(current_schema())), pg_sleep(600)",
      ], environment: [:], output: output.path)
    #expect(try eventually { try locks(granted: true) == 1 })
    // A thread of its own, because other tests may block all those of the tasks.
    let answer = Answer()
    Thread.detachNewThread { answer.set(Result { try guess() }) }
    #expect(try eventually { try locks(granted: false) == 1 })
    try command()
    try run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid
      """)
    _ = ChildProcess.wait(holder)
    return (before, try answer.get())
  }

  private final class Answer: Sendable {
    private let result = Mutex<Result<Data, any Error>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Result<Data, any Error>) {
      result.withLock { $0 = value }
      isSet.signal()
    }

    func get() throws -> Data {
      isSet.wait()
      return try result.withLock { try $0!.get() }
    }
  }

  private func guess() throws -> Data {
    try TestAttempt("guess", account: "eva", publicKey: nil, store, nil).answer.publicKey
  }

  @Test func `Nothing is evaluated with a key that was replaced meanwhile`() throws {
    let (before, after) = try attempt { try store.resetPassphrase(of: "eva") }
    #expect(before != after)
    // The answer was made with the present key.
    #expect(try guess() == after)
    #expect(try store.accounts()[0].attempts == 2)
  }

  @Test func `Without a change the key is the same`() throws {
    let (before, after) = try attempt {}
    #expect(before == after)
  }
}
