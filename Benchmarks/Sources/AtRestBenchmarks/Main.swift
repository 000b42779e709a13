import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDBSQLite

/// Measures the keychain against bare SQLite and against other stores of secrets.
///
///     AtRestBenchmarks [--max ITEMS] [--folder FOLDER] [--without-peers]
///     AtRestBenchmarks --profile get|add|batch|list
///     AtRestBenchmarks files --command PATH [--size MIB] [--rounds N] [--small FILES]
///       [--memory-folder FOLDER] [--folder FOLDER]
@main
struct AtRestBenchmarks {
  var maximum = 1_000_000
  var folder = FileManager.default.currentDirectoryPath
  var measuresPeers = true
  var profiled: String?
  var report = Report()

  static func main() throws {
    var benchmarks = AtRestBenchmarks()
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "files" { return try files(arguments.dropFirst()) }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--max": benchmarks.maximum = arguments.popFirst().flatMap { Int($0) } ?? 0
      case "--folder": benchmarks.folder = arguments.popFirst() ?? ""
      case "--without-peers": benchmarks.measuresPeers = false
      case "--profile": benchmarks.profiled = arguments.popFirst()
      default:
        print(
          "usage: AtRestBenchmarks [--max ITEMS] [--folder FOLDER] [--without-peers]\n"
            + "       AtRestBenchmarks --profile get|add|batch|list")
        exit(64)
      }
    }
    let place = URL(fileURLWithPath: benchmarks.folder)
      .appendingPathComponent("atrest-benchmarks-\(getpid())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    if let operation = benchmarks.profiled {
      try profile(operation, in: place)
    } else {
      try benchmarks.run(in: place)
    }
  }

  private static func files(_ arguments: ArraySlice<String>) throws {
    var options: [String: String] = [:]
    var rest = arguments
    while let name = rest.popFirst(), let value = rest.popFirst() { options[name] = value }
    guard let command = options["--command"] else {
      print("usage: AtRestBenchmarks files --command PATH [--size MIB] [--rounds N]")
      exit(64)
    }
    var benchmarks = FileBenchmarks(command: command)
    if let size = options["--size"].flatMap({ Int($0) }) { benchmarks.size = size << 20 }
    if let rounds = options["--rounds"].flatMap({ Int($0) }) { benchmarks.rounds = rounds }
    if let small = options["--small"].flatMap({ Int($0) }) { benchmarks.smallFiles = small }
    func place(_ option: String, _ fallback: String) -> URL {
      URL(fileURLWithPath: options[option] ?? fallback)
        .appendingPathComponent("atrest-benchmarks-\(getpid())")
    }
    try benchmarks.run(
      memoryFolder: place("--memory-folder", "/dev/shm"),
      diskFolder: place("--folder", FileManager.default.currentDirectoryPath))
  }

  mutating func run(in place: URL) throws {
    try sizes(in: place.appendingPathComponent("sizes"))
    try services(in: place.appendingPathComponent("services"))
    try vault(in: place.appendingPathComponent("vault"))
    try opening(in: place)
    try provesThatListsDecryptNoSecret(in: place.appendingPathComponent("list"))
    if measuresPeers { try peers(in: place) }
    report.end()
  }

  // MARK: By number of items

  private mutating func sizes(in place: URL) throws {
    let counts = [1_000, 10_000, 100_000, 1_000_000].filter { $0 <= maximum }
    guard let first = counts.first else { return }
    // Stays at 1,000 items, so that both ends of the growth are measured in the same rounds.
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
    var adds: [[String]] = []
    var lists: [[String]] = []
    // One number a row, whoever adds it.
    var filled = 0
    for count in counts {
      batches.append(try fill(store, bare, from: filled, to: count))
      filled = count
      gets.append(try get(store, small, bare, count))
      lists.append(try list(store, count))
      adds.append(try add(store, bare, count, first: 10_000_000 + count))
    }
    report.table(
      "Reading one secret by primary key, warm",
      ["items", "keychain, µs", "bare SQLite and AES-GCM, µs", "ratio", "to 1,000 items"], gets)
    report.table(
      "Adding one item durably",
      ["items", "keychain, items/s", "bare SQLite, items/s", "ratio of rates"], adds)
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
          try bare.begin()
          for hash in hashes { try bare.add(hash) }
          try bare.commit()
        } / Double(numbers.count))
    }
    let rate = 1_000_000 / mine.median
    return [
      to.grouped, report.judged(Int(rate).grouped, rate >= 20_000, "≥ 20,000"),
      Int(1_000_000 / (mine.max() ?? .nan)).grouped, Int(1_000_000 / theirs.median).grouped,
    ]
  }

  private mutating func get(
    _ store: Store, _ small: Store, _ bare: BareStore, _ count: Int
  ) throws -> [String] {
    var generator = Generator(seed: UInt64(count))
    let calls = 1_000
    let rounds = 25
    // Touched once before: by then both caches hold what they can.
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
      report.judged(ratio.rounded(2), ratio <= 3, "≤ 3"),
      report.judged(growth.rounded(2), growth <= 1.5, "≤ 1.5"),
    ]
  }

  private mutating func add(
    _ store: Store, _ bare: BareStore, _ count: Int, first: Int
  ) throws -> [String] {
    let calls = 50
    let rounds = 15
    let keys = (first..<first + calls * rounds).map(Sample.key)
    let hashes = (first..<first + calls * rounds).map(Sample.hash)
    let secret = SecretBytes(Sample.secret)
    let shared = store.keychain
    var times: [[Double]] = [[], []]
    for round in 0..<rounds {
      let range = round * calls..<(round + 1) * calls
      times[0].append(
        try microseconds { for key in keys[range] { try shared.add(key, secret: secret) } })
      times[1].append(try microseconds { for hash in hashes[range] { try bare.add(hash) } })
    }
    // Away again, so that the next size is the size it says.
    try shared.transaction { for key in keys { try shared.delete(key) } }
    let ratio = zip(times[1], times[0]).map { $0 / $1 }.median
    let rates = times.map { Int(Double(calls) * 1_000_000 / $0.median).grouped }
    return [
      count.grouped, rates[0], rates[1],
      report.judged(ratio.rounded(2), ratio >= 0.6, "≥ 0.6"),
    ]
  }

  private func list(_ store: Store, _ count: Int) throws -> [String] {
    var generator = Generator(seed: UInt64(count))
    let rounds = 200
    let queries = (0..<rounds).map { _ in
      let number = Int.random(in: 0..<count, using: &generator)
      return Query(.genericPassword, [.service: .text(Sample.service(number))])
    }
    let times = try Rounds(
      rounds, calls: 1,
      [
        { try expect(10, store.keychain.items(matching: queries[$0]).count) },
        { try expect(10, store.keychain.items(matching: queries[$0], secrets: true).count) },
      ])
    // The system has the file in its cache; SQLite and the generation tree have nothing yet.
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

  // MARK: Opening

  private mutating func opening(in place: URL) throws {
    let open = try Store(making: place.appendingPathComponent("open"))
    try open.add((0..<1_000).map(Sample.key))
    open.keychain.close()
    let opening = try (0..<31).map { _ in
      var opened: Keychain?
      let time = try microseconds { opened = try open.reopened() }
      opened?.close()
      return time / 1_000
    }
    let passcode = SecretBytes(utf8: "correct horse battery staple")
    let guarded = try Store(
      // atrest:ignore hardcoded-credential of a store that is measured and thrown away
      making: place.appendingPathComponent("passcode"), passcode: "correct horse battery staple")
    let keybag = guarded.keychain.keybag
    var locking: [Double] = []
    let unlocking = try (0..<5).map { _ in
      locking.append(microseconds { keybag.lock() })
      return try microseconds { try keybag.unlock(passcode: passcode) } / 1_000
    }
    let deriving = try (0..<5).map { _ in
      try microseconds {
        // atrest:ignore static-salt the key is measured and used for nothing
        _ = try keybag.kdf.deriveKey(from: passcode, salt: Data(count: 16)).count
      } / 1_000
    }
    guarded.keychain.close()
    report.table(
      "Opening and unlocking", ["what", "median"],
      [
        ["open keybag and keychain, no passcode", "\(opening.median.rounded(1)) ms"],
        ["derive the passcode key, \(keybag.kdf)", "\(deriving.median.rounded(0)) ms"],
        ["unlock with the default KDF", "\(unlocking.median.rounded(0)) ms"],
        ["lock", "\(locking.median.rounded(1)) µs"],
      ])
  }

  // MARK: Lists

  /// Spoils every secret in the file. A list that opened one would refuse it; reading one must.
  private mutating func provesThatListsDecryptNoSecret(in place: URL) throws {
    let store = try Store(making: place)
    try store.add((0..<1_000).map(Sample.key))
    store.keychain.close()
    var database: OpaquePointer?
    // atrest:ignore plaintext-sqlite spoils a store on purpose
    try BareStore.check(sqlite3_open(store.databasePath, &database))
    let spoil = "UPDATE item SET secret = zeroblob(length(secret)), key = zeroblob(length(key))"
    try BareStore.check(sqlite3_exec(database, spoil, nil, nil, nil))
    sqlite3_close(database)

    let keychain = try store.reopened()
    defer { keychain.close() }
    var listed = 0
    var withheld = 0
    var refused = 0
    for service in 0..<100 {
      let items = try keychain.items(
        matching: Query(.genericPassword, [.service: .text("service-\(service)")]))
      listed += items.filter { $0.withSecret { _ in true } == nil }.count
      withheld += items.withheld.count
    }
    for number in 0..<1_000 {
      do {
        _ = try keychain.secret(for: Sample.key(number)).count
      } catch AtRestError.Code.damaged {
        refused += 1
      }
    }
    report.table(
      "With every secret and its key overwritten in the file, 1,000 items",
      ["listed by service", "withheld from the lists", "secrets refused as damaged"],
      [
        [
          report.judged(listed.grouped, listed == 1_000, "1,000"), withheld.grouped,
          report.judged(refused.grouped, refused == 1_000, "1,000"),
        ]
      ])
  }

  // MARK: Peers

  private mutating func peers(in place: URL) throws {
    let count = 2_000
    let keyring = try Peer.gnomeKeyring.measure(items: count, in: place)
    let pass = try Peer.pass.measure(items: count, in: place)
    let mine = try operations(in: place.appendingPathComponent("peers"), items: count)
    let rows = ["add", "get", "update", "delete", "search"].map { name in
      var row = [name, (mine[name] ?? .nan).rounded(3)]
      for peer in [keyring, pass] {
        guard let time = peer?[name], let own = mine[name] else {
          row += ["not installed", "–"]
          continue
        }
        let ratio = time / own
        let times = "\(Int(ratio).grouped)×"
        row.append(time.rounded(1))
        if peer == keyring && ["add", "update", "delete"].contains(name) {
          row.append(report.judged(times, ratio >= 20, "≥ 20×"))
        } else {
          row.append(times)
        }
      }
      return row
    }
    report.table(
      "At \(count.grouped) items, median ms a call",
      ["call", "keychain", "gnome-keyring", "slower by", "pass", "slower by"], rows)
  }

  /// Median milliseconds of each operation, durable ones as they are by default.
  private func operations(in place: URL, items count: Int) throws -> [String: Double] {
    let store = try Store(making: place)
    let keychain = store.keychain
    defer { keychain.close() }
    try store.add((0..<count).map(Sample.key))
    var times: [String: [Double]] = [:]
    let secret = SecretBytes(Sample.secret)
    let other = SecretBytes(utf8: "another secret of 24 byte")
    for turn in 0..<500 {
      let new = Sample.key(count + turn)
      let known = (turn * 7919) % count
      let key = Sample.key(known)
      let query = Query(.genericPassword, [.service: .text(Sample.service(known))])
      let turns: [(String, () throws -> Void)] = [
        ("add", { try keychain.add(new, secret: secret) }),
        ("get", { _ = try keychain.secret(for: key).count }),
        ("update", { try keychain.update(key, secret: other) }),
        ("search", { try expect(10, keychain.items(matching: query).count) }),
        ("delete", { try keychain.delete(new) }),
      ]
      for (name, call) in turns {
        times[name, default: []].append(try microseconds(call) / 1_000)
      }
    }
    return times.mapValues(\.median)
  }
}

/// Makes a wrong answer end the run: the speed of one is no figure.
private func expect(_ wanted: Int, _ found: Int) throws {
  guard wanted == found else { throw WrongAnswer(wanted: wanted, found: found) }
}

private struct WrongAnswer: Error {
  let wanted: Int
  let found: Int
}
