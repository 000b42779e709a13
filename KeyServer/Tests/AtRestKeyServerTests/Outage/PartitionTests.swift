import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The network between a server and its database loses everything for a time.
///
/// `ATREST_TORTURE=full` does it 100 times.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct PartitionTests {
  private static let cycles = FailOverTests.cycles

  @Test func `A server without its database refuses in time, and the other one serves`() throws {
    let primary = try PostgreSQLServer()
    let proxy = try DatabaseProxy(primary)
    let database = TestDatabase(connection: primary.connection())
    let store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    let flags = ["--source-rate", "100000", "--source-burst", "100000", "--database-timeout", "1"]
    let cut = try ServerProgram(
      database, flags: flags,
      connection: primary.connection(through: proxy.folder) + " connect_timeout=2")
    let other = try ServerProgram(database, flags: flags)
    let watch = try OutageWatch(store, [cut, other])
    var times: [Duration] = []
    var isRefused = true
    for cycle in 0..<Self.cycles {
      // Both directions, or one of them: then requests are carried out, and nobody learns of it.
      let directions: Set<DatabaseProxy.Direction> =
        cycle % 2 == 0 ? [.requests, .answers] : [.answers]
      let time = try watch.run {
        usleep(.random(in: 0..<50_000))
        let before = watch.seen.offline
        proxy.hold(directions)
        isRefused = try isRefused && cut.curl("/health", ["-f"]).status == 22
        // The control: the clients notice.
        isRefused = isRefused && eventually(60) { watch.seen.offline > before }
        proxy.release()
      }
      times.append(time)
      #expect(try eventually { try cut.curl("/health").text == "ok\n" })
      try watch.compare(store)
      guard watch.seen.faults.isEmpty else { break }
    }
    let seen = watch.seen
    #expect(seen.faults.isEmpty)
    #expect(isRefused)
    #expect(cut.stop() == 0 && other.stop() == 0)
    #expect(seen.right > 0 && seen.offline > 0)
    Figures.print("\(times.count) partitions", seen, times)
  }
}
