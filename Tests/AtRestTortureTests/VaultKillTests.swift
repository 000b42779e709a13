import AtRest
import Crypto
import Foundation
import Testing

/// A process that uses a vault is killed at any moment. Values whose calls returned are present,
/// removed values are gone, and no file is left without its item.
@Suite struct VaultKillTests {
  private struct Value: Equatable {
    var hash: String
    var expires: Int?
    var uses: Int?
  }

  /// The expected contents of the vault, by `account/name`.
  private struct Model: Equatable {
    var values: [String: Value] = [:]
    var now = 0

    mutating func apply(_ words: [String]) {
      let name = "\(words[3])/\(words[4])"
      switch words[2] {
      case "set":
        values[name] = Value(hash: words[5], expires: Int(words[6]), uses: Int(words[7]))
      case "use": use(name)
      case "remove": values[name] = nil
      case "logout": values = values.filter { !$0.key.hasPrefix("\(words[3])/") }
      case "advance": now = Int(words[6])!
      default: break
      }
      expire()
    }

    mutating func use(_ name: String) {
      guard let uses = values[name]?.uses else { return }
      if uses > 1 { values[name]!.uses = uses - 1 } else { values[name] = nil }
    }

    mutating func expire() {
      values = values.filter { $0.value.expires.map { $0 > now } ?? true }
    }
  }

  @Test func whatWasAnsweredIsThereAndWhatWasToGoIsGone() throws {
    let runs = Worker.isFull ? 200 : 20
    let scratch = try Scratch()
    var model = Model()
    var (answered, old, new, idle) = (0, 0, 0, 0)
    var verbs: [String: Int] = [:]
    for run in 0..<runs {
      let worker = try Worker(
        program: "atrest-vault-worker", ["churn", scratch.folder.path, "\(model.now)"])
      let (lines, signal) = worker.killed(
        after: Int.random(in: 0..<40), and: .microseconds(Int.random(in: 0..<6_000)))
      #expect(signal == SIGKILL, "run \(run): the worker ended by itself: \(lines.suffix(2))")
      var pending: [String]?
      for words in lines {
        if words[0] == "done", let words = pending {
          model.apply(words)
          pending = nil
          answered += 1
        } else if words[0] == "do" {
          pending = words
        }
      }
      var candidates = [model]
      if let pending {
        verbs[pending[2], default: 0] += 1
        candidates.append(model)
        candidates[1].apply(pending)
        // The time is set by the caller, and advances in any case.
        candidates[0].now = candidates[1].now
        candidates[0].expire()
      }
      let vault = try Self.open(scratch, at: candidates[0].now)
      #expect(try Self.leftovers(vault) == [], "run \(run), during \(pending ?? [])")
      let found = try Self.values(in: vault)
      let index = try #require(
        candidates.firstIndex { $0.values == found },
        "run \(run), during \(pending ?? []): \(Self.difference(found, candidates.last!.values))")
      if pending == nil { idle += 1 } else if index == 0 { old += 1 } else { new += 1 }
      model = candidates[index]
      // The value was just read.
      for name in Array(model.values.keys) { model.use(name) }
    }
    print(
      "vault, kill -9: \(runs) runs, \(answered) answered calls; the one under way: \(old) not done, "
        + "\(new) done, \(idle) runs with none; under way were \(verbs)")
  }

  /// Control: planted leftovers are found.
  @Test func anOrphanALossAndADoubleAreFound() throws {
    let scratch = try Scratch()
    let vault = try Self.open(scratch, at: 0)
    let eva = try vault.logIn("a0")
    try eva.store(Data(count: 20_000), in: VaultRecord("n0", .document))
    try eva.store(Data(count: 20), in: VaultRecord("n1", .document))
    let values = try Self.values(in: vault)
    #expect(try Self.leftovers(vault) == [] && values.count == 2)
    // A file without an item, as a crash between the two leaves it.
    let folder = try #require(
      FileManager.default.contentsOfDirectory(
        at: vault.folder.appendingPathComponent("values"), includingPropertiesForKeys: nil
      ).first)
    let orphan = folder.appendingPathComponent(String(repeating: "0f", count: 16))
    try Data(count: 100).write(to: orphan)
    #expect(try Self.leftovers(vault) == ["1 files too many"])
    // The next opening collects it.
    let again = try Self.open(scratch, at: 0)
    #expect(try Self.leftovers(again) == [])
    #expect(try Self.values(in: again) == values)
    // An item without its account, and a lost item.
    try again.keychain.add(
      .genericPassword(service: "atrest.vault.main.00", account: "value.n0"),
      secret: SecretBytes([1]))
    #expect(try Self.leftovers(again) == ["1 items too many"])
    let lost = try #require(
      again.keychain.items(matching: KeychainQuery(.genericPassword))
        .first { $0.attributes.account == "value.n1" })
    try again.keychain.delete(lost.primaryKey)
    #expect(try Self.values(in: again) != values)
  }

  // MARK: Contents of the vault

  private static func open(_ scratch: Scratch, at now: Int) throws -> Vault {
    let device = try FileDeviceKey.openOrCreate(in: scratch.device)
    let keybag: Keybag
    do {
      keybag = try Keybag.create(at: scratch.store, device: device)
    } catch AtRestError.Code.duplicate {
      keybag = try Keybag.open(at: scratch.store, device: device)
    }
    if keybag.lockState != .unlocked { try keybag.unlock() }
    let date = start + Double(now)
    let keychain = try Keychain.open(
      keybag, identity: ApplicationIdentity("torture"), clock: { date })
    return try Vault.open(in: scratch.folder.appendingPathComponent("vault"), keychain: keychain)
  }

  /// The start time of the worker.
  private static let start = Date(timeIntervalSince1970: 2_000_000_000)

  /// Returns every value by reading it, which spends one use of values with limited uses.
  private static func values(in vault: Vault) throws -> [String: Value] {
    var found: [String: Value] = [:]
    for name in try vault.accounts {
      let account = try vault.logIn(name)
      for value in try account.contents {
        let data = try account.value(in: VaultRecord<Data>(value.name, .document))
        #expect(UInt64(data.count) == value.size)
        found["\(name)/\(value.name)"] = Value(
          hash: SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined(),
          expires: value.expires.map { Int($0.timeIntervalSince(start).rounded()) },
          uses: value.usesLeft)
      }
    }
    return found
  }

  /// Returns files and items that belong to no value or account.
  private static func leftovers(_ vault: Vault) throws -> [String] {
    var contents: [ValueDescription] = []
    for name in try vault.accounts { contents += try vault.logIn(name).contents }
    let place = vault.folder.appendingPathComponent("values")
    let files = (FileManager.default.enumerator(atPath: place.path)?.allObjects as? [String] ?? [])
      .filter { $0.contains("/") }.count
    var found: [String] = []
    let expected = contents.filter { $0.store == .file }.count
    if files != expected {
      found.append("\(files - expected) files too many")
    }
    // The registry and the clock, one item per account that has its name, and one per value, which
    // may be spent.
    let known = 2 + (try vault.accounts.count) + contents.count + (try spentValues(vault))
    let items = try vault.keychain.items(matching: KeychainQuery(.genericPassword)).count
    if items != known { found.append("\(items - known) items too many") }
    return found
  }

  /// Returns the number of records whose value was read as often as allowed.
  private static func spentValues(_ vault: Vault) throws -> Int {
    let accounts = try vault.accounts.map { try vault.logIn($0) }
    let names = try vault.keychain.items(matching: KeychainQuery(.genericPassword))
      .compactMap(\.attributes.account).filter { $0.hasPrefix("value.") }
      .map { String($0.dropFirst("value.".count)) }
    var count = 0
    for account in accounts {
      let kept = Set(try account.contents.map(\.name))
      for name in Set(names).subtracting(kept) {
        do {
          _ = try account.value(in: VaultRecord<Data>(name, .document))
        } catch AtRestError.Code.expired {
          count += 1
        } catch AtRestError.Code.notFound {}
      }
    }
    return count
  }

  private static func difference(_ found: [String: Value], _ expected: [String: Value]) -> String {
    let lost = expected.filter { found[$0.key] != $0.value }.keys.sorted()
    let more = found.filter { expected[$0.key] != $0.value }.keys.sorted()
    return "not as expected \(lost), too much or other \(more)"
  }
}
