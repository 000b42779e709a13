import AtRestCrypto
import AtRestKeychain
import Foundation

/// Durable writes of one item each, compared with bare SQLite.
extension AtRestBenchmarks {
  private static let calls = 50
  private static let rounds = 15

  /// The rows of the three tables, by number of items.
  struct WriteRows {
    var adds: [[String]] = []
    var updates: [[String]] = []
    var deletes: [[String]] = []
  }

  mutating func writes(
    _ store: Store, _ bare: BareStore, _ count: Int, into rows: inout WriteRows
  ) throws {
    let logs = try [store.databasePath, bare.path].map { try WriteAheadLog(ofDatabase: $0) }
    rows.adds.append(row(count, try adds(store, bare, logs, count), goal: 0.75))
    rows.updates.append(row(count, try updates(store, bare, logs, count), goal: 0.6))
    rows.deletes.append(row(count, try deletes(store, bare, logs, count), goal: 0.6))
  }

  func report(_ rows: WriteRows) {
    for (title, page, rows) in [
      ("Adding one item durably", "add", rows.adds),
      ("Updating one item durably", "update", rows.updates),
      ("Deleting one item durably", "delete", rows.deletes),
    ] {
      report.table(
        title,
        [
          "items", "keychain, items/s", "mean of all calls", "bare SQLite, items/s",
          "mean of all calls", "ratio of rates", "of means", "pages per \(page)", "bare SQLite",
          "bare commit, µs",
        ], rows)
    }
  }

  private mutating func row(_ count: Int, _ writes: DurableWrites, goal: Double) -> [String] {
    let ratio = writes.ratio
    return [
      count.grouped, Int(writes.rate(0)).grouped, Int(writes.meanRate(0)).grouped,
      Int(writes.rate(1)).grouped, Int(writes.meanRate(1)).grouped,
      report.judged(ratio.rounded(2), ratio >= goal, "≥ \(goal)"),
      writes.ratioOfMeans.rounded(2), writes.pagesPerCall(0).rounded(1),
      writes.pagesPerCall(1).rounded(1), writes.median(1).rounded(0),
    ]
  }

  private func adds(
    _ store: Store, _ bare: BareStore, _ logs: [WriteAheadLog], _ count: Int
  ) throws -> DurableWrites {
    let first = 10_000_000 + count
    let numbers = first..<first + Self.calls * Self.rounds
    let keys = numbers.map(Sample.key)
    let hashes = numbers.map(Sample.hash)
    let secret = SecretBytes(Sample.secret)
    let keychain = store.keychain
    let writes = try DurableWrites(
      rounds: Self.rounds, calls: Self.calls,
      [
        .init(log: logs[0]) { try keychain.add(keys[$0], secret: secret) },
        .init(log: logs[1]) { try bare.add(hashes[$0]) },
      ])
    // The items are removed again, so the next measurement has the stated number of items.
    try keychain.transaction { for key in keys { try keychain.delete(key) } }
    try bare.transaction { for hash in hashes { try bare.delete(hash) } }
    return writes
  }

  private func updates(
    _ store: Store, _ bare: BareStore, _ logs: [WriteAheadLog], _ count: Int
  ) throws -> DurableWrites {
    var generator = Generator(seed: UInt64(count) + 1)
    let numbers = (0..<Self.calls * Self.rounds).map { _ in
      Int.random(in: 0..<count, using: &generator)
    }
    let keys = numbers.map(Sample.key)
    let hashes = numbers.map(Sample.hash)
    let secret = SecretBytes(Sample.otherSecret)
    let keychain = store.keychain
    return try DurableWrites(
      rounds: Self.rounds, calls: Self.calls,
      [
        .init(log: logs[0]) { try keychain.update(keys[$0], secret: secret) },
        .init(log: logs[1]) { try bare.update(hashes[$0], turn: $0) },
      ])
  }

  private func deletes(
    _ store: Store, _ bare: BareStore, _ logs: [WriteAheadLog], _ count: Int
  ) throws -> DurableWrites {
    var generator = Generator(seed: UInt64(count) + 2)
    // Each item is used at most once per round; items that a round deleted are added again after
    // it.
    let numbers = (0..<Self.rounds).flatMap { _ in
      var round: Set<Int> = []
      while round.count < Self.calls {
        round.insert(Int.random(in: 0..<count, using: &generator))
      }
      return round.sorted().shuffled(using: &generator)
    }
    let keys = numbers.map(Sample.key)
    let hashes = numbers.map(Sample.hash)
    let keychain = store.keychain
    return try DurableWrites(
      rounds: Self.rounds, calls: Self.calls,
      [
        .init(log: logs[0]) { try keychain.delete(keys[$0]) },
        .init(log: logs[1]) { try bare.delete(hashes[$0]) },
      ],
      afterRound: { range in
        try store.add(Array(keys[range]))
        try bare.transaction { for hash in hashes[range] { try bare.add(hash) } }
      })
  }
}
