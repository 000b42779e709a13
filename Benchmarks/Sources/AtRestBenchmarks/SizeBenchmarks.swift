import AtRestCrypto
import AtRestKeychain
import Foundation

extension AtRestBenchmarks {
  mutating func sizes(in place: URL) throws {
    let counts = [1_000, 10_000, 100_000, 1_000_000].filter { $0 <= maximum }
    guard let first = counts.first else { return }
    // This store stays at 1,000 items, so both ends of the growth are measured in the same rounds.
    let small = try Store(making: place.appendingPathComponent("small"))
    try small.add((0..<first).map(Sample.key))
    let store = try Store(making: place.appendingPathComponent("keychain"))
    let bare = try BareStore(place.appendingPathComponent("bare.db").path)
    defer {
      small.keychain.close()
      store.keychain.close()
      bare.close()
    }
    var batches: [[String]] = []
    var gets: [[String]] = []
    var writes = WriteRows()
    var lists: [[String]] = []
    // Each row has its own number, whichever code adds it.
    var filled = 0
    for count in counts {
      batches.append(try fill(store, bare, from: filled, to: count))
      filled = count
      gets.append(try get(store, small, bare, count))
      lists.append(try list(store, count))
      try self.writes(store, bare, count, into: &writes)
    }
    report.table(
      "Reading one secret by primary key, warm",
      ["items", "keychain, µs", "bare SQLite and AES-GCM, µs", "ratio", "to 1,000 items"], gets)
    report(writes)
    report.table(
      "Adding many in one transaction, while filling",
      ["up to", "keychain, items/s", "slowest transaction, items/s", "bare SQLite, items/s"],
      batches)
    report.table(
      "Listing by service, 10 hits, without secrets",
      ["items", "list, µs", "list with secrets, µs", "first get after opening, µs"], lists)
  }

  private mutating func fill(
    _ store: Store, _ bare: BareStore, from: Int, to: Int
  ) throws -> [String] {
    let size = min(10_000, to - from)
    var mine: [Double] = []
    var theirs: [Double] = []
    for start in stride(from: from, to: to, by: size) {
      let numbers = start..<min(start + size, to)
      let keys = numbers.map(Sample.key)
      let hashes = numbers.map(Sample.hash)
      mine.append(try microseconds { try store.add(keys) } / Double(numbers.count))
      theirs.append(
        try microseconds {
          try bare.transaction { for hash in hashes { try bare.add(hash) } }
        } / Double(numbers.count))
    }
    let rate = 1_000_000 / mine.median
    let goal = to > 100_000 ? 25_000 : 45_000
    return [
      to.grouped, report.judged(Int(rate).grouped, rate >= Double(goal), "≥ \(goal.grouped)"),
      Int(1_000_000 / (mine.max() ?? .nan)).grouped, Int(1_000_000 / theirs.median).grouped,
    ]
  }

  private mutating func get(
    _ store: Store, _ small: Store, _ bare: BareStore, _ count: Int
  ) throws -> [String] {
    var generator = Generator(seed: UInt64(count))
    let calls = 1_000
    let rounds = 25
    // The items were read once before, so both caches are filled.
    let warming = (0..<min(count, 20_000)).map { _ in Int.random(in: 0..<count, using: &generator) }
    for number in warming {
      _ = try store.keychain.secret(for: Sample.key(number)).count
      _ = try bare.get(Sample.hash(number)).count
    }
    let numbers = (0..<rounds).map { _ in
      (0..<calls).map { _ in Int.random(in: 0..<count, using: &generator) }
    }
    let keys = numbers.map { $0.map(Sample.key) }
    let hashes = numbers.map { $0.map(Sample.hash) }
    let few = numbers.map { $0.map { Sample.key($0 % 1_000) } }
    let times = try Rounds(
      rounds, calls: calls,
      [
        { for key in keys[$0] { _ = try store.keychain.secret(for: key).count } },
        { for hash in hashes[$0] { _ = try bare.get(hash).count } },
        { for key in few[$0] { _ = try small.keychain.secret(for: key).count } },
      ])
    let ratio = times.ratio(0, to: 1)
    let growth = times.ratio(0, to: 2)
    return [
      count.grouped, times.median(0).rounded(1), times.median(1).rounded(1),
      report.judged(ratio.rounded(2), ratio <= 2.3, "≤ 2.3"),
      report.judged(growth.rounded(2), growth <= 1.4, "≤ 1.4"),
    ]
  }

  private func list(_ store: Store, _ count: Int) throws -> [String] {
    var generator = Generator(seed: UInt64(count))
    let rounds = 200
    let queries = (0..<rounds).map { _ in
      let number = Int.random(in: 0..<count, using: &generator)
      return KeychainQuery(.genericPassword, [.service: .text(Sample.service(number))])
    }
    let times = try Rounds(
      rounds, calls: 1,
      [
        { try expect(10, store.keychain.items(matching: queries[$0]).count) },
        { try expect(10, store.keychain.items(matching: queries[$0], secrets: true).count) },
      ])
    // The file is in the system's cache; SQLite and the generation tree have cached nothing yet.
    let reopened = try store.reopened()
    defer { reopened.close() }
    let firsts = try (0..<200).map { _ in
      let key = Sample.key(Int.random(in: 0..<count, using: &generator))
      return try microseconds { _ = try reopened.secret(for: key).count }
    }
    return [
      count.grouped, times.median(0).rounded(0), times.median(1).rounded(0),
      firsts.median.rounded(0),
    ]
  }
}
