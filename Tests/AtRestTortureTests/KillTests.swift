import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Crypto
import Foundation
import Testing

/// A writing process is killed at any moment. Writes that returned are present, and the current one
/// is present completely or not at all.
@Suite struct KillTests {
  /// The expected contents of the store: the hash of each secret by `service/account`.
  private struct Model {
    var items: [String: String] = [:]
    var passcode = "correct horse battery"
  }

  private struct Write {
    let verb: String
    let name: String
    let value: String
    let second: String?

    func applied(to model: Model) -> Model {
      var model = model
      switch verb {
      case "passcode": model.passcode = value
      case "delete": model.items[name] = nil
      default:
        model.items[name] = value
        if let second { model.items[second] = value }
      }
      return model
    }
  }

  @Test func everyAnsweredWriteIsThere() throws {
    let runs = Worker.isFull ? 200 : 40
    let scratch = try Scratch()
    var model = Model()
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed)
    var answered = 0
    var old = 0
    var new = 0
    var none = 0
    #expect(try Worker("make", scratch).finish().status == 0)
    model.items = try Self.items(in: scratch, passcode: model.passcode)
    for run in 0..<runs {
      let worker = try Worker(
        "churn", scratch, "\(UInt64.random(in: 0 ... .max, using: &generator))", model.passcode)
      // A random number of writes, and a random moment within the next one.
      let writes = Int.random(in: 0..<40, using: &generator)
      let moment = Duration.microseconds(Int.random(in: 0..<1_000, using: &generator))
      let (lines, signal) = worker.killed(after: writes, and: moment)
      #expect(signal == SIGKILL, "run \(run): the worker ended by itself: \(lines)")
      var pending: Write?
      for words in lines {
        if words[0] == "done", let write = pending {
          model = write.applied(to: model)
          pending = nil
          answered += 1
        } else if words[0] == "do" {
          let isPasscode = words[2] == "passcode"
          pending = Write(
            verb: words[2], name: words[3],
            value: isPasscode ? words[4...].joined(separator: " ") : words[4],
            second: words.count > 5 && !isPasscode ? words[5] : nil)
        }
      }
      // The current write is either completely old or completely new.
      let candidates = [model] + (pending.map { [$0.applied(to: model)] } ?? [])
      var passcode: String?
      for candidate in Set(candidates.map(\.passcode)) where passcode == nil {
        do {
          try Self.verify(candidate, scratch)
          passcode = candidate
        } catch AtRestError.Code.authenticationFailed {}
      }
      let opening = try #require(passcode, "run \(run), seed \(seed): no passcode opens the store")
      let found = try Self.items(in: scratch, passcode: opening)
      let match = candidates.firstIndex { $0.items == found && $0.passcode == opening }
      let index = try #require(
        match, "run \(run), seed \(seed): \(found.count) items, \(model.items.count) expected")
      if pending == nil { none += 1 } else if index == 0 { old += 1 } else { new += 1 }
      model = candidates[index]
    }
    print(
      "kill -9: \(runs) runs, \(answered) answered writes there; the one under way: "
        + "\(old) whole-old, \(new) whole-new, \(none) runs with none; seed \(seed)")
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.store.path)
      .filter { $0.contains(".new-") }
    #expect(left.count <= 1, "half-written files pile up: \(left)")
  }

  private static func verify(_ passcode: String, _ scratch: Scratch) throws {
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    defer { keybag.close() }
    try keybag.verify(passcode: SecretBytes(utf8: passcode))
  }

  /// Returns every generic password with the hash of its secret, which must be the same by list, by
  /// index and by key.
  private static func items(in scratch: Scratch, passcode: String) throws -> [String: String] {
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    defer { keybag.close() }
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    defer { keychain.close() }
    let items = try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    #expect(items.withheld.isEmpty)
    var found: [String: String] = [:]
    var services: [String: Int] = [:]
    for item in items {
      let service = item.attributes.service ?? ""
      let name = "\(service)/\(item.attributes.account ?? "")"
      found[name] = item.withSecret { SHA256.hash(data: $0).map(hex).joined() }
      services[service, default: 0] += 1
      #expect(try keychain.secret(for: item.primaryKey).count > 0)
    }
    #expect(found.count == items.count)
    for (service, count) in services {
      let indexed = try keychain.items(
        matching: KeychainQuery(.genericPassword, [.service: .text(service)]))
      #expect(indexed.count == count && indexed.withheld.isEmpty)
    }
    return found
  }

  private static func hex(_ byte: UInt8) -> String { String(format: "%02x", byte) }
}

/// A generator that a seed reproduces, so a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
