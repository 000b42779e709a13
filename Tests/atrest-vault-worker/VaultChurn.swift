import AtRest
import Crypto
import Foundation
import Synchronization

/// A vault over a real store in a folder, at a time that the caller sets.
struct FolderVault {
  let keybag: Keybag
  let vault: Vault
  private let seconds: SharedSeconds

  /// - Parameter options: The options with which the vault is opened.
  init(_ folder: URL, at now: Int = 0, _ options: Vault.Options = Vault.Options()) throws {
    let seconds = SharedSeconds(now)
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let store = folder.appendingPathComponent("store")
    do {
      keybag = try Keybag.create(at: store, device: device)
    } catch AtRestError.Code.duplicate {
      keybag = try Keybag.open(at: store, device: device)
    }
    if keybag.lockState != .unlocked { try keybag.unlock() }
    let keychain = try Keychain.open(
      keybag, identity: ApplicationIdentity("torture"), clock: { seconds.date })
    vault = try Vault.open(
      in: folder.appendingPathComponent("vault"), keychain: keychain, options: options)
    self.seconds = seconds
  }

  func advance(to now: Int) { seconds.set(now) }
}

final class SharedSeconds: Sendable {
  private let value: Mutex<Int>
  init(_ now: Int) { value = Mutex(now) }
  var date: Date { Date(timeIntervalSince1970: 2_000_000_000 + Double(value.withLock { $0 })) }
  func set(_ now: Int) { value.withLock { $0 = now } }
}

/// Stores values, replaces them with smaller and larger ones, uses them up, lets them expire,
/// removes them and logs out, until it is killed.
///
/// The command is `churn FOLDER SECONDS`. It writes `do N VERB ACCOUNT NAME HASH EXPIRES USES`
/// before each call and `done N` after it returned. HASH is the SHA-256 of the value, and SECONDS
/// the time at the start.
struct VaultChurn {
  private let place: FolderVault
  private var now: Int
  /// The values are made before the first call, so the kill happens during a call. Half of them
  /// become items, half files.
  private let values = (0..<32).map { number in
    let data = RandomBytes.data(
      count: Int.random(in: number % 2 == 0 ? 1...300 : 16_385...80_000))
    return (data, SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined())
  }

  init(_ arguments: [String]) throws {
    guard arguments.count == 2, let now = Int(arguments[1]) else {
      throw AtRestError(.invalidArgument, "churn FOLDER SECONDS", remedy: "Name both.")
    }
    self.now = now
    place = try FolderVault(URL(fileURLWithPath: arguments[0]), at: now)
  }

  mutating func run() throws {
    for number in 0... {
      let account = "a\(Int.random(in: 0..<2))"
      let name = "n\(Int.random(in: 0..<8))"
      func say(_ verb: String, _ rest: String = "- - -") {
        let line = "do \(number) \(verb) \(account) \(name) \(rest)\n"
        _ = line.withCString { write(1, $0, strlen($0)) }
      }
      switch Int.random(in: 0..<100) {
      case ..<8:
        say("logout")
        try place.vault.logIn(account).logOut()
      case ..<16:
        now += 60
        say("advance", "- \(now) -")
        place.advance(to: now)
        try place.vault.purge()
      case ..<22:
        say("purge")
        try place.vault.purge()
      case ..<32:
        say("remove")
        try place.vault.logIn(account).remove(name)
      case ..<50:
        say("use")
        do {
          _ = try place.vault.logIn(account).value(in: VaultRecord<Data>(name, .document))
        } catch let error as AtRestError where error.refusal == .notFound {}
      default:
        let (data, hash) = values.randomElement()!
        let limit = Int.random(in: 0..<10)
        let expires = limit < 3 ? now + Int.random(in: 1...150) : nil
        let uses = (3..<6).contains(limit) ? Int.random(in: 1...3) : nil
        say(
          "set", "\(hash) \(expires.map(String.init) ?? "-") \(uses.map(String.init) ?? "-")")
        let deadline = expires.map { SharedSeconds($0).date }
        try place.vault.logIn(account).store(
          data, in: VaultRecord(name, .document, keep: Retention(until: deadline, uses: uses)))
      }
      let line = "done \(number)\n"
      _ = line.withCString { write(1, $0, strlen($0)) }
    }
  }
}
