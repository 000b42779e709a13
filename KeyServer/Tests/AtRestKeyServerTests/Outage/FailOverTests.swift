import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The primary of PostgreSQL is killed, and its standby is promoted, while clients use two servers.
///
/// `ATREST_TORTURE=full` does it 100 times.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct FailOverTests {
  static let cycles = ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? 100 : 1

  @Test func `Two servers go on with the standby, and nothing is lost`() throws {
    let pair = try PostgreSQLPair()
    let database = TestDatabase(connection: pair.connection())
    let store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    let flags = ["--source-rate", "100000", "--source-burst", "100000", "--database-timeout", "5"]
    let programs = try (0..<2).map { _ in try ServerProgram(database, flags: flags) }
    let watch = try OutageWatch(store, programs)
    var times: [Duration] = []
    for cycle in 0..<Self.cycles {
      times.append(try watch.run { try pair.failOver() })
      try watch.compare(store)
      if cycle < Self.cycles - 1 { try pair.restoreStandby() }
      guard watch.seen.faults.isEmpty else { break }
    }
    let seen = watch.seen
    #expect(seen.faults.isEmpty)
    #expect(programs.allSatisfy { $0.stop() == 0 })
    // The control: the servers and the clients noticed.
    #expect(seen.right > 0 && seen.offline > 0)
    Figures.print("\(times.count) fail-overs", seen, times)
  }

  @Test func `The control: without a synchronous standby, attempts come back`() throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let key = SecretBytes.random(count: 32)
    let store = try KeyServerStore(Database(.postgreSQL(primary.connection())), serverKey: key)
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    let applied = try eventually {
      try primary.psql(
        "SELECT replay_lsn = pg_current_wal_lsn() FROM pg_stat_replication"
      ).hasPrefix("t")
    }
    #expect(applied)
    try standby.stop()
    let element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
    for _ in 0..<3 {
      _ = try store.count(Evaluation(account: "eva", element: element), nil).evaluate(element)
    }
    #expect(try store.accounts()[0].attempts == 3)
    try primary.kill()
    try standby.start()
    try standby.promote()
    let second = try KeyServerStore(Database(.postgreSQL(standby.connection())), serverKey: key)
    #expect(try second.accounts()[0].attempts == 0)
  }
}

/// Prints what a long run has seen.
enum Figures {
  static func print(_ title: String, _ seen: OutageWatch.Seen, _ times: [Duration]) {
    let seconds = times.map { $0 / .seconds(1) }.sorted()
    guard seconds.count > 1 else { return }
    Swift.print(
      "\(title): \(seen.right) right passphrases, \(seen.offline) requests without an answer, "
        + "\(seen.throttled) to try again, \(seen.faults.count) faults; served again after "
        + String(
          format: "%.2f s (median), %.2f s (longest)", seconds[seconds.count / 2], seconds.last ?? 0
        ))
  }
}
