import AtRestCrypto
import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import AtRestSimulation
@_spi(Tools) import AtRestTestSupport
import Foundation

/// Measures `atrest-agent`: the rate and the time of reads through its socket, its memory, its start,
/// and how soon all clients are refused after a lock.
struct AgentBenchmark {
  /// The path of `atrest-agent`.
  let program: String
  var items = 100_000
  var locks = 1000
  var clients = 8
  private var report = Report()

  private static let passcode = AgentSecret(SecretBytes(utf8: "correct horse battery staple"))

  init(program: String) { self.program = program }

  mutating func run(in place: URL) throws {
    signal(SIGPIPE, SIG_IGN)
    let device = try FileDeviceKey.openOrCreate(in: place.appendingPathComponent("device"))
    let keybag = try Keybag.create(
      at: place.appendingPathComponent("store"), device: device, passcode: Self.passcode.bytes,
      options: .init(kdf: .simulated))
    try keybag.unlock(passcode: Self.passcode.bytes)
    let keychain = try Keychain.open(keybag, identity: AgentClient.identity)
    let secret = SecretBytes(Sample.secret)
    for start in stride(from: 0, to: items, by: 10_000) {
      try keychain.transaction {
        for number in start..<min(items, start + 10_000) {
          try keychain.add(AgentClient.key(number), secret: secret)
        }
      }
    }
    let starts = try (0..<11).map { _ in
      let agent = try AgentProcess(program, in: place)
      defer { agent.end() }
      return agent.milliseconds
    }
    let agent = try AgentProcess(program, in: place)
    defer { agent.end() }
    let connection = try AgentConnection(to: agent.socket)
    let grant = AgentGrant(
      AgentEvidence(.user, String(geteuid())), groups: [AgentClient.group], mayWrite: true)
    try connection.send(.addGrant(grant, passcode: Self.passcode))
    try connection.send(.unlock(passcode: Self.passcode))
    // The end of each agent before locked the store here too.
    try keybag.unlock(passcode: Self.passcode.bytes)

    try reads(keychain, connection)
    let children = try (0..<clients).map { _ in try AgentClient.Child(agent.socket, items: items) }
    defer { for child in children { child.end() } }
    try rates(children)
    try others(keychain, connection, agent, starts)
    try lockForAll(connection, children)
    agent.end()
    keychain.close()
    try peers(in: place)
    report.end()
  }

  /// Compares a read through the socket with one in the process, in turns.
  private mutating func reads(_ keychain: Keychain, _ connection: AgentConnection) throws {
    var random = Generator(seed: 1)
    let (turns, calls) = (41, 500)
    let numbers = (0..<turns).map { _ in
      (0..<calls).map { _ in AgentClient.key(Int.random(in: 0..<items, using: &random)) }
    }
    let rounds = try Rounds(
      turns, calls: calls,
      [
        { for key in numbers[$0] { _ = try keychain.secret(for: key).count } },
        { for key in numbers[$0] { _ = try connection.secret(.get(key, groups: [])).count } },
        { for _ in numbers[$0] { try connection.send(.status) } },
      ])
    let more = zip(rounds.times[1], rounds.times[0]).map { $0 - $1 }.median
    var single: [Double] = []
    for key in numbers.joined() {
      single.append(
        try microseconds { _ = try connection.secret(.get(key, groups: [])).count })
    }
    single.sort()
    report.table(
      "Reading one secret of \(items.grouped), µs",
      ["in the process", "through the agent", "more", "p99 through the agent", "status"],
      [
        [
          rounds.median(0).rounded(1), rounds.median(1).rounded(1),
          report.judged(more.rounded(1), more <= 60, "≤ 60"),
          single[single.count * 99 / 100].rounded(1), rounds.median(2).rounded(1),
        ]
      ])
  }

  private mutating func rates(_ children: [AgentClient.Child]) throws {
    func rate(_ command: String, _ count: Int) throws -> Double {
      let some = children.prefix(count)
      for child in some { child.ask(command) }
      return try some.map { try $0.answer().number }.reduce(0, +)
    }
    let rows = try [1, children.count].map { count in
      let reads = try rate("r", count)
      return [
        "\(count)", report.judged(Int(reads).grouped, reads >= 10_000, "≥ 10,000"),
        Int(try rate("w", count)).grouped,
      ]
    }
    report.table(
      "Calls a second, \(items.grouped) items",
      ["processes at once", "reads/s", "durable writes/s"], rows)
  }

  private mutating func others(
    _ keychain: Keychain, _ connection: AgentConnection, _ agent: AgentProcess, _ starts: [Double]
  ) throws {
    let writes = try (0..<200).map { number in
      try microseconds {
        try connection.send(
          .set(
            AgentClient.key(number), secret: AgentSecret(SecretBytes(Sample.otherSecret)),
            accessible: .whenUnlocked, groups: []))
      } / 1000
    }
    let (now, peak) = try agent.memory()
    report.table(
      "The agent, \(items.grouped) items", ["what", "figure"],
      [
        ["memory, MiB", report.judged(now.rounded(1), now < 60, "< 60")],
        ["memory at most, MiB", peak.rounded(1)],
        [
          "start to first answer, median of \(starts.count), ms",
          report.judged(starts.median.rounded(1), starts.median < 50, "< 50"),
        ],
        ["set of an item through the agent, durable, median ms", writes.median.rounded(2)],
      ])
  }

  /// Times from the return of a lock in one process to the refusal in all others.
  private mutating func lockForAll(
    _ connection: AgentConnection, _ children: [AgentClient.Child]
  ) throws {
    var times: [Double] = []
    for _ in 0..<locks {
      try connection.send(.unlock(passcode: Self.passcode))
      for child in children { child.ask("g") }
      for child in children where try child.answer().code != "done" {
        throw AgentFailure("A client was refused while the store is unlocked.")
      }
      try connection.send(.lock)
      let locked = AgentClient.now()
      for child in children { child.ask("g") }
      let answers = try children.map { try $0.answer() }
      guard answers.allSatisfy({ $0.code == "locked" }) else {
        throw AgentFailure("After the lock, the clients got \(answers.map(\.code)).")
      }
      times.append(answers.map { Double($0.time &- locked) / 1_000_000 }.max() ?? 0)
    }
    times.sort()
    let slowest = times.last ?? .nan
    report.table(
      "From the end of a lock to a refused read in all \(children.count) other processes, ms",
      ["locks", "median", "p99", "most"],
      [
        [
          times.count.grouped, times.median.rounded(2), times[times.count * 99 / 100].rounded(2),
          report.judged(slowest.rounded(2), slowest <= 10, "≤ 10"),
        ]
      ])
  }

  /// Compares the agent with gnome-keyring, each called from one process, as programs do.
  private mutating func peers(in place: URL) throws {
    // gnome-keyring takes minutes for more items.
    let count = 2_000
    let peer = try Peer.gnomeKeyring.measure(items: count, in: place)
    let agent = try AgentProcess(program, in: place)
    defer { agent.end() }
    let connection = try AgentConnection(to: agent.socket)
    try connection.send(.unlock(passcode: Self.passcode))
    var times: [String: [Double]] = [:]
    func set(_ number: Int) throws {
      try connection.send(
        .set(
          AgentClient.key(number), secret: AgentSecret(SecretBytes(Sample.secret)),
          accessible: .whenUnlocked, groups: []))
    }
    for turn in 0..<200 {
      let (new, known) = (items + turn, (turn * 7919) % items)
      let calls: [(String, () throws -> Void)] = [
        ("add", { try set(new) }),
        ("get", { _ = try connection.secret(.get(AgentClient.key(known), groups: [])).count }),
        ("update", { try set(new) }),
        ("delete", { try connection.send(.delete(AgentClient.key(new), groups: [])) }),
      ]
      for (name, call) in calls {
        times[name, default: []].append(try microseconds(call) / 1000)
      }
    }
    report.table(
      "The agent at \(items.grouped) items, gnome-keyring at \(count.grouped), median ms a call",
      ["call", "agent", "gnome-keyring", "slower by"],
      ["add", "get", "update", "delete"].map { name in
        let own = times[name]?.median ?? .nan
        guard let other = peer?[name] else { return [name, own.rounded(3), "not installed", "–"] }
        return [name, own.rounded(3), other.rounded(2), "\(Int(other / own).grouped)×"]
      })
  }
}
