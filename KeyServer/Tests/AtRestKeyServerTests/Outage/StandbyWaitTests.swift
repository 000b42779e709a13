import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The primary has to wait for a standby that is gone. What it then answers, or does not, is not taken for a commit.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct StandbyWaitTests {
  private let primary: PostgreSQLServer
  private let standby: PostgreSQLServer
  private let key = Data((0..<32).map { _ in UInt8.random(in: 0 ... .max) })
  private let element: GroupElement

  init() throws {
    primary = try PostgreSQLServer()
    standby = try PostgreSQLServer(standbyOf: primary)
    try primary.requireStandby()
    element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
    try store().createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
  }

  private func store(answerTime: Duration = Database.answerTime) throws -> KeyServerStore {
    try KeyServerStore(
      Database(.postgreSQL(primary.connection()), answerTime: answerTime),
      serverKey: SecretBytes(key))
  }

  /// Makes an attempt on another thread.
  private func attempt(_ store: KeyServerStore) -> Outcome {
    let outcome = Outcome()
    Thread.detachNewThread { [element] in
      outcome.end(
        Result {
          _ = try store.count(Evaluation(account: "eva", element: element), nil).evaluate(element)
        })
    }
    return outcome
  }

  /// The result of another thread.
  private final class Outcome: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Void, any Error>?

    func end(_ result: Result<Void, any Error>) {
      condition.withLock {
        self.result = result
        condition.broadcast()
      }
    }

    func get() throws {
      struct NoAnswer: Error {}
      let end = Date(timeIntervalSinceNow: 60)
      let result = condition.withLock {
        while self.result == nil, condition.wait(until: end) {}
        return self.result
      }
      guard let result else { throw NoAnswer() }
      try result.get()
    }
  }

  private func waitsForStandby() throws -> Bool {
    try eventually {
      try primary.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        .hasPrefix("1")
    }
  }

  @Test func `A commit whose wait was cancelled is not evaluated`() throws {
    let store = try store()
    // The control: with the standby it is.
    try attempt(store).get()
    try standby.stop()
    let outcome = attempt(store)
    #expect(try waitsForStandby())
    try primary.psql(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    expectError(.keyServerOffline) { try outcome.get() }
    // It is counted, but only here. After a fail-over now, its evaluation would be a free try.
    #expect(try store.accounts()[0].attempts == 2)
  }

  @Test func `A limit for statements does not end the wait`() throws {
    try primary.psql("ALTER ROLE keyserver SET statement_timeout = '200ms'")
    let store = try store(answerTime: .seconds(1))
    try attempt(store).get()
    try standby.stop()
    expectError(.keyServerOffline) { try attempt(store).get() }
  }

  @Test func `A commit that is not answered holds no thread, and is counted`() throws {
    let store = try store(answerTime: .seconds(1))
    try attempt(store).get()
    try standby.stop()
    expectError(.keyServerOffline) { try attempt(store).get() }
    try standby.start()
    #expect(try eventually { try store.accounts()[0].attempts == 2 })
    // The control: the store goes on.
    #expect(eventually { (try? attempt(store).get()) != nil })
  }
}
