import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Flips bits of one file, byte by byte, and reads every item after each flip.
///
/// The command is `flip STORE DEVICE FILE FROM STEP MASKS PROGRESS`. MASKS is `turn` (one bit per
/// byte, in turn) or `all` (each bit of each byte, then the whole byte). PROGRESS names a file that
/// holds the current byte, so a caller that finds this process crashed knows where to continue.
final class Flip {
  private let store: Store
  private let file: String
  private let from: Int
  private let step: Int
  private let everyBit: Bool
  private let progress: Int32
  private var counts: [String: Int] = [:]
  private var examples: [String: String] = [:]

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 5, let from = Int(arguments[1]), let step = Int(arguments[2]) else {
      throw Unusable("flip STORE DEVICE FILE FROM STEP MASKS PROGRESS")
    }
    self.store = store
    file = arguments[0]
    self.from = from
    self.step = step
    everyBit = arguments[3] == "all"
    progress = open(arguments[4], O_WRONLY | O_CREAT, 0o600)
  }

  func run() throws {
    // Both folders are restored before each flip, because opening a damaged file may write.
    let folders = [store.folder, store.deviceFolder]
    var originals: [(URL, [UInt8])] = []
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let url = folder.appendingPathComponent(name)
        originals.append((url, [UInt8](try Data(contentsOf: url))))
      }
    }
    guard let target = originals.first(where: { $0.0.lastPathComponent == file }) else {
      throw Unusable("no file \(file)")
    }
    func restore() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
      where name.hasSuffix("-wal") || name.hasSuffix("-shm") || name.contains(".new-") {
        unlink(store.folder.appendingPathComponent(name).path)
      }
      for (url, bytes) in originals { try put(bytes, url) }
    }
    // Control: without a flip, everything can be read.
    try restore()
    let control = look()
    guard control == ["all-right"] else { throw Unusable("control: \(control)") }
    let isDatabase = file.hasSuffix(".db")
    for index in stride(from: from, to: target.1.count, by: step) {
      // Space that no cell of a page covers; one byte in 61 is enough.
      if isDatabase, !everyBit, index % 61 != 3, !Self.isUsed(index, target.1) { continue }
      var mark = UInt64(index)
      pwrite(progress, &mark, 8, 0)
      let masks: [UInt8] =
        everyBit ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1 << UInt8(index % 8)]
      for mask in masks {
        try restore()
        var bytes = target.1
        bytes[index] ^= mask
        try put(bytes, target.0)
        counts["flips", default: 0] += 1
        for outcome in look() {
          counts[outcome, default: 0] += 1
          if examples[outcome] == nil { examples[outcome] = "byte \(index) mask \(mask)" }
        }
      }
    }
    try restore()
    for (outcome, count) in counts.sorted(by: { $0.key < $1.key }) {
      say("count \(outcome) \(count) \(examples[outcome] ?? "")")
    }
  }

  /// Writes in place, so descriptors that stay open see it.
  private func put(_ bytes: [UInt8], _ url: URL) throws {
    let file = open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard file >= 0, pwrite(file, bytes, bytes.count, 0) == bytes.count,
      ftruncate(file, off_t(bytes.count)) == 0
    else { throw Unusable("cannot write \(url.path)") }
  }

  /// Returns true if a byte of an SQLite file is in a page's header, cell pointers or cells.
  private static func isUsed(_ index: Int, _ bytes: [UInt8]) -> Bool {
    let page = index / 4096 * 4096
    let offset = index - page
    let header = page == 0 ? 100 : 0
    let kind = bytes[page + header]
    func number(_ at: Int) -> Int {
      Int(bytes[page + header + at]) << 8 | Int(bytes[page + header + at + 1])
    }
    let fixed = kind == 2 || kind == 5 ? 12 : 8
    return offset < header + fixed + 2 * number(3) || offset >= number(5)
  }

  /// Returns the results of opening the store and reading every item in every way.
  private func look() -> Set<String> {
    do {
      let keybag = try store.keybag()
      defer { keybag.close() }
      try keybag.unlock(passcode: Store.passcode)
      let keychain = try Keychain.open(keybag, identity: Store.identity)
      defer { keychain.close() }
      return look(keychain)
    } catch {
      return [Self.judge(error, "open")]
    }
  }

  private func look(_ keychain: Keychain) -> Set<String> {
    var outcomes: Set<String> = []
    for item in Store.items {
      // Each item is read twice, because the second time the generation tree answers from its
      // cache.
      for way in ["get", "cached"] {
        do {
          let secret = try keychain.secret(for: item.key)
          if String(copying: secret) != item.secret { outcomes.insert("WRONG-SECRET.\(way)") }
        } catch {
          outcomes.insert(Self.judge(error, way))
        }
      }
      do {
        _ = try keychain.item(for: item.key).attributes
      } catch {
        outcomes.insert(Self.judge(error, "item"))
      }
    }
    list(keychain, KeychainQuery(.genericPassword), 3, &outcomes, "list")
    list(keychain, KeychainQuery(.internetPassword), 1, &outcomes, "list")
    list(keychain, KeychainQuery(.certificate), 1, &outcomes, "list")
    list(
      keychain, KeychainQuery(.genericPassword, [.service: "mail"]), 2, &outcomes, "list-indexed")
    return outcomes.isEmpty ? ["all-right"] : outcomes
  }

  private func list(
    _ keychain: Keychain, _ query: KeychainQuery, _ expected: Int, _ outcomes: inout Set<String>,
    _ way: String
  ) {
    do {
      let items = try keychain.items(matching: query, secrets: true)
      for item in items {
        let known = Store.items.first {
          var key = $0.key
          key.group = Store.group
          return key == item.primaryKey
        }
        let secret = item.withSecret { String(decoding: $0, as: UTF8.self) }
        if known == nil || secret != known?.secret { outcomes.insert("WRONG-SECRET.\(way)") }
      }
      if items.count > expected { outcomes.insert("TWICE.\(way)") }
      if !items.withheld.isEmpty { outcomes.insert("withheld.\(way)") }
      if items.count + items.withheld.count < expected { outcomes.insert("missing.\(way)") }
    } catch {
      outcomes.insert(Self.judge(error, way))
    }
  }

  /// Returns a judgement. Capitals mark a result that must not occur.
  private static func judge(_ error: any Error, _ way: String) -> String {
    guard let error = error as? AtRestError else { return "UNKNOWN-ERROR.\(way)" }
    switch error.refusal {
    case .damaged: return "\(error.code).\(way)"
    case .notFound: return "NOT-FOUND.\(way)"
    default: return "\(error.code.rawValue.uppercased()).\(way)"
    }
  }
}
