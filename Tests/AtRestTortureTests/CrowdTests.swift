import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// Threads that share transactions are killed, or meet a full disk: what was answered is there, and what
/// failed is not.
@Suite struct CrowdTests {
  private struct Said {
    var begun: Set<String> = []
    var done: Set<String> = []
    var failed: [String: String] = [:]

    init(_ lines: [[String]]) {
      for words in lines where words.count > 1 {
        switch words[0] {
        case "do": begun.insert(words[1])
        case "done": done.insert(words[1])
        case "failed": failed[words[1]] = words.count > 2 ? words[2] : ""
        default: break
        }
      }
    }
  }

  @Test func everyAnsweredWriteOfAKilledCrowdIsThere() throws {
    let runs = Worker.isFull ? 200 : 20
    var generator = SystemRandomNumberGenerator()
    var answered = 0
    var unanswered = 0
    for run in 0..<runs {
      let scratch = try Scratch()
      #expect(try Worker("make", scratch).finish().status == 0)
      let worker = try Worker("crowd", scratch)
      let (lines, signal) = worker.killed(
        after: .random(in: 0..<120, using: &generator),
        and: .microseconds(Int.random(in: 0..<1_000, using: &generator)))
      #expect(signal == SIGKILL, "run \(run): the worker ended by itself: \(lines)")
      let said = Said(lines)
      let found = try Self.items(in: scratch)
      #expect(said.done.isSubset(of: found), "run \(run): \(said.done.subtracting(found)) are lost")
      #expect(found.isSubset(of: said.begun), "run \(run)")
      answered += said.done.count
      unanswered += found.count - said.done.count
    }
    print(
      "kill -9 of 8 threads: \(runs) runs, \(answered) answered writes there, \(unanswered) more")
  }

  @Test func aFailureOfTheCommitIsToldToAllItsCalls() throws {
    var failed = 0
    for room in stride(from: 0, to: 200_000, by: Worker.isFull ? 1_000 : 16_000) {
      let scratch = try Scratch()
      #expect(try Worker("make", scratch).finish().status == 0)
      let (lines, signal, status) = try Worker("crowd", scratch, "\(room)").finish()
      #expect(signal == 0 && status == 0, "\(lines)")
      let said = Said(lines.map { $0.split(separator: " ").map(String.init) })
      #expect(said.begun.count == said.done.count + said.failed.count)
      #expect(said.failed.count == 8 && Set(said.failed.values) == ["system"], "\(said.failed)")
      #expect(try Self.items(in: scratch) == said.done, "with room for \(room) bytes")
      failed += said.failed.count
    }
    print("full disk: \(failed) writes failed, and none of them is there")
  }

  /// Returns the names of the crowd's items, which must be whole, and the same by list, index and key.
  private static func items(in scratch: Scratch) throws -> Set<String> {
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    defer { keybag.close() }
    try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    defer { keychain.close() }
    #expect(try keychain.verify().problems.isEmpty)
    let items = try keychain.items(
      matching: KeychainQuery(.genericPassword, [.service: .text("crowd")]), secrets: true)
    #expect(items.withheld.isEmpty)
    var names: Set<String> = []
    for item in items {
      let name = item.attributes.account ?? ""
      #expect(item.withSecret { String(decoding: $0, as: UTF8.self) } == name)
      #expect(try String(copying: keychain.secret(for: item.primaryKey)) == name)
      names.insert(name)
    }
    #expect(names.count == items.count)
    return names
  }
}
