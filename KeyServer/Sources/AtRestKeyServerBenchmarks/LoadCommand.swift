import ArgumentParser
import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// `keyserver-bench load`: evaluations by many accounts, half of which do not exist.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Sends evaluations for many accounts, half of them unknown.")

  @OptionGroup var suite: SuiteOption
  @Option var port: Int
  @Option var trustRoots: String
  @Option(help: "The accounts that exist, and as many that do not.") var accounts = 2000
  @Option(help: "The connections, each with one request at a time.") var connections = 16
  @Option var seconds = 20
  @Option(help: "The database, in which attempts are forgotten now and then.") var database: String
  @Option(help: "The process of the server.") var server: Int32
  @Option(help: "The first process of PostgreSQL.") var postgres: Int32

  private final class Counts: Sendable {
    let times = Mutex<[UInt64]>([])
    let failures = Mutex<[UInt: Int]>([:])
    let sent = Atomic(0)
    let isOver = Atomic(false)
    /// The server's memory in MiB.
    let memory = Mutex<[Double]>([])
  }

  func run() async throws {
    let (element, names) = (try suite.element, Names(suite.value))
    let counts = Counts()
    // An account has ten attempts. Its turn comes after all others, so one round takes ten.
    let perRound = accounts * 2 * 8
    let start = ContinuousClock.now
    func usage() -> [Double] {
      [
        ProcessUsage.seconds(server), ProcessUsage.seconds(postgres, withChildren: true),
        ProcessUsage.seconds(getpid()),
      ]
    }
    let before = usage()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var forgotten = 0
        while ContinuousClock.now - start < .seconds(seconds) {
          try await Task.sleep(for: .milliseconds(250))
          let sent = counts.sent.load(ordering: .relaxed)
          if sent - forgotten > perRound {
            forgotten = sent
            try forgetAttempts()
          }
          let sample = ProcessUsage.memory(server)
          counts.memory.withLock { $0.append(sample) }
        }
        counts.isOver.store(true, ordering: .relaxed)
      }
      try await Requests(port: port, trustRoots: trustRoots).send(connections: connections) {
        guard !counts.isOver.load(ordering: .relaxed) else { return nil }
        let index = counts.sent.add(1, ordering: .relaxed).oldValue
        let account = (index / 2) % accounts
        let name = index.isMultiple(of: 2) ? names.open(account) : names.unknown(account)
        return Request(
          path: "/v1/evaluate", body: Evaluation(account: name, element: element).encoded
        ) { answer in
          if answer.status == 200 {
            counts.times.withLock { $0.append(answer.nanoseconds) }
          } else {
            counts.failures.withLock { $0[answer.status, default: 0] += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let used = zip(usage(), before).map { ($0 - $1) / elapsed * 100 }
    let sample = Sample(counts.times.withLock { $0 })
    func milliseconds(_ quantile: Double) -> String {
      String(format: "%.1f", sample.quantile(quantile) / 1_000_000)
    }
    print(
      String(
        format: "%@, %d connections, %.0f s: %.0f evaluations/s", suite.value.name, connections,
        elapsed,
        Double(sample.sorted.count) / elapsed),
      "p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, max \(milliseconds(1)) ms")
    print(
      String(
        format: "processors: server %.0f %%, PostgreSQL %.0f %%, load generator %.0f %%", used[0],
        used[1], used[2]))
    counts.memory.withLock { values in
      // The first seconds fill pools and caches.
      let settled = values.dropFirst(min(40, values.count / 4))
      print(
        String(
          format: "server's memory: %.0f MiB at the start, then %.0f to %.0f MiB, %.0f at the end",
          values.first ?? 0, settled.min() ?? 0, settled.max() ?? 0, values.last ?? 0))
    }
    let failures = counts.failures.withLock { $0 }
    if !failures.isEmpty { print("refused, by status: \(failures)") }
  }

  private func forgetAttempts() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The server locks rows in the same order.
    let sql =
      "DELETE FROM keyserver_attempts WHERE id IN (SELECT id FROM keyserver_attempts ORDER BY id FOR UPDATE)"
    process.arguments = ["psql", "-X", "-q", "-d", database, "-c", sql]
    try process.run()
    process.waitUntilExit()
  }
}
