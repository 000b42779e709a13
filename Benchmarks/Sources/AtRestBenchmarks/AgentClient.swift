import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation

/// A process that reads items through the agent when it is told to.
///
/// The command is `agent-client SOCKET ITEMS`. A byte `g` on standard input stands for one read, which
/// is answered with its code and time, and `r` or `w` for reads or durable writes during two seconds, answered
/// with their rate.
enum AgentClient {
  static let group = "bench"
  static let identity = ApplicationIdentity(group)

  static func key(_ number: Int) -> PrimaryKey {
    var key = Sample.key(number)
    key.group = group
    return key
  }

  /// The time that all processes share, in nanoseconds.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  static func run(socket: String, items: Int) throws {
    let connection = try AgentConnection(to: socket)
    var random = Generator(seed: UInt64(getpid()))
    func call(isWrite: Bool) -> String {
      let key = key(Int.random(in: 0..<items, using: &random))
      do {
        if isWrite {
          try connection.send(
            .set(
              key, secret: AgentSecret(SecretBytes(Sample.otherSecret)), accessible: .whenUnlocked,
              groups: []))
        } else {
          _ = try connection.secret(.get(key, groups: [])).count
        }
        return "done"
      } catch {
        return (error as? AtRestError)?.code.rawValue ?? "\(error)"
      }
    }
    var command: UInt8 = 0
    while Foundation.read(0, &command, 1) == 1 {
      let line: String
      if command == UInt8(ascii: "g") {
        line = "\(call(isWrite: false)) \(now())\n"
      } else {
        let start = now()
        var count = 0
        while now() - start < 2_000_000_000 {
          guard call(isWrite: command == UInt8(ascii: "w")) == "done" else {
            throw AgentFailure("A call was refused.")
          }
          count += 1
        }
        line = "\(Double(count) * 1e9 / Double(now() - start)) \(now())\n"
      }
      FileHandle.standardOutput.write(Data(line.utf8))
    }
  }

  /// The parent's side of a client.
  final class Child {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ socket: String, items: Int) throws {
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["agent-client", socket, "\(items)"]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func ask(_ command: String) { input.fileHandleForWriting.write(Data(command.utf8)) }

    func answer() throws -> (code: String, number: Double, time: UInt64) {
      let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        .split { $0 == " " || $0 == "\n" }
      guard words.count == 2, let time = UInt64(words[1]) else {
        throw AgentFailure("A client ended.")
      }
      return (String(words[0]), Double(words[0]) ?? .nan, time)
    }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }
}
