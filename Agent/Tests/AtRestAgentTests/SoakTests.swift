#if os(Linux)
  import AtRestCrypto
  @_spi(Tools) import AtRestKeychain
  @_spi(Tools) import AtRestTestSupport
  import Foundation
  import Synchronization
  import Testing

  @testable import AtRestAgent

  /// 24 threads of clients that do not keep to the protocol, beside two that do. `make soak-agent` runs
  /// this for five minutes.
  @Suite(.serialized) struct SoakTests {
    /// What hostile clients do.
    private enum Mischief: CaseIterable {
      case garbage, slow, oversized, halfOpen, connectAndClose, pipelined, deaf, malformed
    }

    private static let threads = 24
    private static let seconds =
      ProcessInfo.processInfo.environment["ATREST_SOAK_SECONDS"].flatMap(Int.init) ?? 4

    @Test func honestClientsAreServed() throws {
      let run = try AgentRun()
      try run.grant("mail", mayWrite: true)
      let agent = try AgentProgram(run.location, in: run.folder)
      try agent.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
      let large = PrimaryKey.genericPassword(service: "large", account: "eva", group: "mail")
      try agent.connect().send(
        .set(
          large, secret: AgentSecret(SecretBytes.random(count: 900_000)),
          accessible: .whenUnlocked, groups: []))
      let get = Data(
        copying: try AgentRequest.get(large, groups: []).encoded(for: run.service.identity))
      // Control: without others, the same clients are served.
      let alone = try serve(agent, seconds: 1, until: nil)
      let before = try state(agent)

      let end = ContinuousClock.now + .seconds(Self.seconds)
      let group = DispatchGroup()
      let done = Mutex<[Mischief: Int]>([:])
      for seed in 0..<Self.threads {
        group.enter()
        let socket = agent.socket
        Thread.detachNewThread {
          var turn = seed
          while ContinuousClock.now < end {
            let mischief = Mischief.allCases[turn % Mischief.allCases.count]
            turn += 1
            if Self.act(mischief, socket, get: Array(get), until: end) {
              done.withLock { $0[mischief, default: 0] += 1 }
            }
          }
          group.leave()
        }
      }
      let beside = try serve(agent, seconds: Self.seconds, until: end)
      group.wait()
      // Every connection of the others has ended, and the agent notices it soon.
      var after = try state(agent)
      let patience = ContinuousClock.now + .seconds(120)
      while after.files > before.files, ContinuousClock.now < patience {
        usleep(10_000)
        after = try state(agent)
      }
      print(
        "soak, \(Self.seconds) s: \(done.withLock { $0.values.reduce(0, +) }) hostile connections; "
          + "memory \(before.memory) to \(after.memory) KiB, at most \(after.peak); descriptors "
          + "\(before.files) to \(after.files)\n  alone \(alone)\n  beside them \(beside)")
      for mischief in Mischief.allCases { #expect(done.withLock { $0[mischief] ?? 0 } > 0) }
      #expect(after.files <= before.files)
      // 24 threads have at most this many large answers and requests under way.
      #expect(after.peak < before.memory + 64 * 1024)
      let status: AgentStatus = try agent.connect().document(.status)
      #expect(status.isUnlocked)
    }

    /// The times of honest clients in microseconds.
    private struct Times: CustomStringConvertible {
      let count: Int
      let median: Double
      let late: Double
      let most: Double

      init(_ times: [Double]) {
        let sorted = times.sorted()
        count = sorted.count
        median = sorted[sorted.count / 2]
        late = sorted[sorted.count * 99 / 100]
        most = sorted[sorted.count - 1]
      }

      var description: String {
        "\(count) reads, median \(Int(median)) µs, p99 \(Int(late)), at most \(Int(most))"
      }
    }

    /// Reads items over one connection, and over a new one each time. Every read must succeed.
    private func serve(
      _ agent: AgentProgram, seconds: Int, until end: ContinuousClock.Instant?
    ) throws -> Times {
      let end = end ?? .now + .seconds(seconds)
      let kept = try agent.connect()
      var times: [Double] = []
      while ContinuousClock.now < end || times.isEmpty {
        for connection in [kept, nil] {
          let start = ContinuousClock.now
          let secret = try (connection ?? agent.connect()).secret(.get(AgentRun.mail, groups: []))
          times.append((ContinuousClock.now - start) / .microseconds(1))
          #expect(secret.count == 11)
        }
      }
      return Times(times)
    }

    /// Returns the resident memory in KiB, and the number of open files.
    private func state(_ agent: AgentProgram) throws -> (memory: Int, peak: Int, files: Int) {
      let folder = "/proc/\(agent.identifier)"
      let text = try String(contentsOfFile: folder + "/status", encoding: .utf8)
      func value(_ name: String) throws -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return try #require(line.flatMap { Int($0.filter(\.isNumber)) })
      }
      // The files of a process that cannot be dumped are visible only to root.
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
      return (try value("VmRSS"), try value("VmHWM"), files)
    }

    /// Behaves badly once. Returns true if it could.
    private static func act(
      _ mischief: Mischief, _ socket: String, get: [UInt8], until end: ContinuousClock.Instant
    ) -> Bool {
      guard let client = try? RawClient(socket) else { return false }
      // The agent stops reading from some of these clients, and it answers all of the others.
      client.limit(seconds: 1, reading: 60)
      switch mischief {
      case .garbage: client.write((0..<Int.random(in: 1...5000)).map { _ in .random(in: 0...255) })
      case .slow:
        for byte in RawClient.frame(get).dropLast() where ContinuousClock.now < end {
          client.write([byte])
          usleep(2_000)
        }
      case .oversized:
        client.write([0, 0x10, 0, 1] + [UInt8](repeating: 1, count: 4096))
        return client.answer() != nil
      case .halfOpen:
        let others = (0..<3).compactMap { _ in try? RawClient(socket) }
        for other in others { other.write([0, 0, 0]) }
        usleep(10_000)
      case .connectAndClose: break
      case .pipelined:
        // Requests without reading any answer, until the agent no longer takes them.
        let status = RawClient.frame([1, 1])
        let many = Array(repeatElement(status, count: 1000).joined())
        for _ in 0..<8 where ContinuousClock.now < end { client.write(many) }
      case .deaf:
        for _ in 0..<20 { client.write(RawClient.frame(get)) }
        usleep(20_000)
      case .malformed:
        for operation in 0...20 as ClosedRange<UInt8> {
          client.write(RawClient.frame([1, operation, 0, 0, 0, 9]))
          guard client.answer() != nil else { return false }
        }
      }
      return true
    }
  }
#endif
