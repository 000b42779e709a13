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
    try partition(
      primary, primary.connection(through: proxy.folder),
      cut: { proxy.hold($0 == .everything ? [.requests, .answers] : [.answers]) },
      mend: { proxy.release() })
  }

  @Test(.enabled(if: NetworkNamespace.isPossible, "Only root can make networks."))
  func `So does a server whose network loses every packet`() throws {
    let network = try NetworkNamespace()
    let primary = try PostgreSQLServer(network: network)
    defer { try? primary.kill() }
    try partition(
      primary, primary.networkConnection(host: network.address) + " sslmode=disable",
      cut: network.cut, mend: network.mend)
  }

  private func partition(
    _ primary: PostgreSQLServer, _ connection: String, cut: (NetworkNamespace.Cut) throws -> Void,
    mend: () throws -> Void
  ) throws {
    let database = TestDatabase(connection: primary.connection())
    let store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    let flags = ["--source-rate", "100000", "--source-burst", "100000", "--database-timeout", "1"]
    let severed = try ServerProgram(
      database, flags: flags, connection: connection + " connect_timeout=2")
    let other = try ServerProgram(database, flags: flags)
    let watch = try OutageWatch(store, [severed, other])
    var times: [Duration] = []
    var isRefused = true
    for cycle in 0..<Self.cycles {
      // Both directions, or one of them: then requests are carried out, and nobody learns of it.
      let time = try watch.run {
        usleep(.random(in: 0..<50_000))
        let before = watch.seen.offline
        try cut(cycle % 2 == 0 ? .everything : .answers)
        isRefused = try isRefused && severed.curl("/health", ["-f"]).status == 22
        // The control: the clients notice.
        isRefused = isRefused && eventually(60) { watch.seen.offline > before }
        try mend()
      }
      times.append(time)
      #expect(try eventually { try severed.curl("/health").text == "ok\n" })
      try watch.compare(store)
      guard watch.seen.faults.isEmpty else { break }
    }
    let seen = watch.seen
    #expect(seen.faults.isEmpty)
    #expect(isRefused)
    #expect(severed.stop() == 0 && other.stop() == 0)
    #expect(seen.right > 0 && seen.offline > 0)
    Figures.print("\(times.count) partitions", seen, times)
  }
}
