import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Glibc
import Synchronization
import Testing

/// Kills the server or the database at a random moment while attempts are made, and then compares
/// the count with the answers: an attempt that was answered is always counted.
///
/// `ATREST_TORTURE=full` kills each of them 500 times.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct KillTests {
  private static let kills =
    ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? 500 : 6
  private static let rules = AttemptRules(limit: 100, delays: [])
  private static let policy = AccountPolicy(allowsUnknownDevices: true)

  /// Makes attempts on a thread until one fails, while the caller does something.
  ///
  /// - Parameter before: The least number of attempts that are answered before that.
  /// - Returns: The number of attempts that were answered.
  private static func attempts(
    after before: Int, _ attempt: @escaping @Sendable () throws -> Void,
    during body: () throws -> Void
  ) rethrows -> Int {
    let answered = Mutex(0)
    let holder = Holder(answered)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<100 {
        do { try attempt() } catch { break }
        holder.count.withLock { $0 += 1 }
      }
      done.signal()
    }
    // At a random moment of a random attempt, so that the speed of the machine does not matter.
    _ = eventually { holder.count.withLock { $0 } >= before }
    usleep(.random(in: 0..<20_000))
    try body()
    done.wait()
    return holder.count.withLock { $0 }
  }

  /// A random number of attempts before a kill, of which the first kill has at least one.
  private static func number(before kill: Int) -> Int { .random(in: kill == 0 ? 1..<5 : 0..<5) }

  private final class Holder: Sendable {
    let count: Mutex<Int>
    init(_ count: consuming Mutex<Int>) { self.count = count }
  }

  @Test func `The database is killed between the count and the answer`() throws {
    let server = try PostgreSQLServer()
    let key = SecretBytes.random(count: 32)
    let store = try KeyServerStore(
      Database(.postgreSQL(server.connection())), serverKey: key, rules: Self.rules)
    try store.createAccount("eva", policy: Self.policy)
    let element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
    var total = 0
    for kill in 0..<Self.kills {
      let answered = try Self.attempts(after: Self.number(before: kill)) {
        _ = try store.count(Evaluation(account: "eva", element: element), nil).evaluate(element)
      } during: {
        try server.kill()
      }
      try server.start()
      let counted = try store.accounts()[0].attempts
      #expect(counted >= answered && counted <= answered + 1)
      total += answered
      try store.unlockAccount("eva")
    }
    // The control: attempts were made at all.
    #expect(total > 0)
    _ = try store.forEachAuditEntry { _ in }
  }

  @Test func `The server is killed between the count and the answer`() throws {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store(rules: Self.rules)
    try store.createAccount("eva", policy: Self.policy)
    let element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
    var total = 0
    for kill in 0..<Self.kills {
      let connections = try database.connectionCount()
      let program = try ServerProgram(database)
      let transport = try program.transport()
      let answered = try Self.attempts(after: Self.number(before: kill)) {
        let message = Evaluation(account: "eva", element: element)
        let answer = try transport.send(
          path: "/v1/evaluate", headers: [], body: message.encoded)
        struct Refused: Error {}
        guard answer.0 == 200 else { throw Refused() }
      } during: {
        program.kill()
      }
      // What the program asked of the database is finished.
      #expect(try eventually { try database.connectionCount() <= connections })
      let counted = try store.accounts()[0].attempts
      #expect(counted >= answered && counted <= answered + 1)
      total += answered
      try store.unlockAccount("eva")
    }
    #expect(total > 0)
  }

  @Test func `A fail-over to a synchronous standby gives no attempt back`() throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let key = SecretBytes.random(count: 32)
    let store = try KeyServerStore(
      Database(.postgreSQL(primary.connection())), serverKey: key, rules: Self.rules)
    try store.createAccount("eva", policy: Self.policy)
    let element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
    try primary.requireStandby()
    let answered = try Self.attempts(after: 5) {
      _ = try store.count(Evaluation(account: "eva", element: element), nil).evaluate(element)
    } during: {
      try primary.kill()
    }
    try standby.promote()
    let second = try KeyServerStore(
      Database(.postgreSQL(standby.connection())), serverKey: key, rules: Self.rules)
    let counted = try second.accounts()[0].attempts
    #expect(answered > 0 && counted >= answered && counted <= answered + 1)
    #expect(second.realm == store.realm)
  }
}
