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
  private let database: TestDatabase
  private let store: KeyServerStore

  init() throws {
    database = try TestDatabase(.postgreSQL)
    store = try database.store()
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    try database.psql(
      """
      CREATE SEQUENCE calls;
      CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN
        IF nextval('calls') = 1 THEN
          PERFORM set_config('lock_timeout', '0', true);
          PERFORM pg_advisory_xact_lock_shared(hashtext(TG_TABLE_SCHEMA));
        END IF;
        RETURN NEW;
      END $$ LANGUAGE plpgsql
      """)
  }

  /// Makes the next statement of a table wait until the lock is free.
  private func stop(_ statement: String, on table: String) throws {
    try database.psql(
      """
      CREATE TRIGGER wait BEFORE \(statement) ON keyserver_\(table)
        FOR EACH ROW EXECUTE FUNCTION wait()
      """)
  }

  /// The connections of this test that hold the lock, or that wait for any lock.
  private func locks(granted: Bool) throws -> Int {
    let text = try database.psql(
      """
      SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE application_name = current_schema() AND \(granted ? "" : "NOT") granted
      \(granted ? "AND locktype = 'advisory' AND objsubid = 1" : "")
      """)
    return Int(text) ?? -1
  }

  /// Returns once a number of connections wait.
  private func waiting(_ count: Int) throws -> Bool {
    try eventually { try locks(granted: false) == count }
  }

  /// Holds the lock while a closure runs.
  private func whileLocked(_ body: () throws -> Void) throws {
    let output = TemporaryFile()
    let holder = try ChildProcess.start(
      [
        "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-d",
        database.connectionString ?? "", "-c",
        "SELECT pg_advisory_lock(hashtext(current_schema())), pg_sleep(600)",
      ], output: output.path)
    defer {
      _ = try? database.psql(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE application_name = current_schema() AND granted AND locktype = 'advisory' AND objsubid = 1
        """)
      ChildProcess.wait(holder)
    }
    #expect(try eventually { try locks(granted: true) == 1 })
    try body()
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
    try TestAttempt("guess", account: "eva", publicKey: nil, store, nil).answer.publicKey.bytes
  }

  /// Runs a closure on a thread of its own, because other tests may block all those of the tasks.
  private func start(_ body: @escaping @Sendable () throws -> Data) -> Answer {
    let answer = Answer()
    Thread.detachNewThread { answer.set(Result { try body() }) }
    return answer
  }

  @Test(arguments: [true, false])
  func `A key that is replaced before the count is not used`(isReset: Bool) throws {
    let before = try guess()
    try store.unlockAccount("eva")
    try stop("INSERT", on: "attempts")
    var answer: Answer?
    try whileLocked {
      answer = start { try guess() }
      #expect(try waiting(1))
      if isReset { try store.resetPassphrase(of: "eva") }
    }
    let after = try answer!.get()
    // The control: without the command the key is the same.
    #expect((before == after) != isReset)
    #expect(try guess() == after)
  }

  @Test func `A key that is being replaced is not used by an attempt that comes meanwhile`() throws
  {
    let before = try guess()
    try stop("UPDATE", on: "accounts")
    var answer: Answer?
    try whileLocked {
      _ = start {
        try store.resetPassphrase(of: "eva")
        return Data()
      }
      let resetWaits = try waiting(1)
      answer = start { try guess() }
      let attemptWaits = try waiting(2)
      #expect(resetWaits && attemptWaits)
    }
    let after = try answer!.get()
    #expect(before != after)
    #expect(try guess() == after)
  }
}
