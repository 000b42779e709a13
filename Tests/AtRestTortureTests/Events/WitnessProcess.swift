import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A process that has a store open in every way. See `Witness` in `atrest-vault-worker`.
final class WitnessProcess {
  static let passcode = "correct horse battery"
  static let otherPasscode = "staple orange window"

  /// The uses that give something out.
  static let reads = [
    "read", "read-unread", "list", "value", "file", "vault-handle", "preference", "database-read",
    "handle-read", "handle-always", "unprotect",
  ]
  /// The uses that store something, or that may make a database.
  static let writes = [
    "add", "update", "delete", "open", "store", "store-file", "log-in", "set-preference",
    "database-write", "handle-write", "handle-synchronize", "protect",
  ]

  let scratch: Scratch
  private let worker: Worker
  private var unread = Data()

  /// Creates a store, and starts a process that opens it.
  convenience init(passcode: String? = passcode, attemptLimit: UInt16 = 0) throws {
    let scratch = try Scratch()
    let device = try FileDeviceKey.openOrCreate(in: scratch.device)
    let options = Keybag.Options(kdf: .forTesting, attemptLimit: attemptLimit)
    if let passcode {
      try Keybag.create(
        at: scratch.store, device: device, passcode: SecretBytes(utf8: passcode), options: options
      ).close()
    } else {
      try Keybag.create(at: scratch.store, device: device, options: options).close()
    }
    try self.init(scratch, passcode: passcode)
  }

  /// Starts a process that opens a store.
  init(_ scratch: Scratch, passcode: String? = passcode) throws {
    self.scratch = scratch
    let folder = scratch.folder.appendingPathComponent("witness")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    worker = try Worker(
      program: "atrest-vault-worker",
      ["witness", scratch.store.path, scratch.device.path, folder.path]
        + [passcode].compactMap { $0 })
    try #require(line() == "ready")
  }

  deinit { worker.kill() }

  func keybag() throws -> Keybag {
    try Keybag.open(at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
  }

  /// Returns what became of a use: `done` or the code of the error.
  func answer(_ use: String) throws -> String {
    try begin(use)
    return line().split(separator: " ").last.map(String.init) ?? "no answer"
  }

  func answers(_ uses: [String]) throws -> [String: String] {
    try Dictionary(uniqueKeysWithValues: uses.map { ($0, try answer($0)) })
  }

  /// Starts a use without waiting for its end.
  func begin(_ use: String) throws { try worker.write(Data((use + "\n").utf8)) }

  /// Returns the next line of output, or an empty one at its end.
  func line() -> String {
    while true {
      if let end = unread.firstIndex(of: 0x0a) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[unread.index(after: end)...])
        return line
      }
      let more = worker.available()
      if more.isEmpty { return "" }
      unread += more
    }
  }

  /// Waits until a use is answered in a way, at most two minutes.
  func eventually(_ use: String, _ expected: String) throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while try answer(use) != expected {
      guard ContinuousClock.now < end else { return false }
      sched_yield()
    }
    return true
  }

  /// Stops the process, as a debugger or a frozen control group does.
  func stop() { kill(worker.identifier, SIGSTOP) }

  func go() { kill(worker.identifier, SIGCONT) }

  /// The names of the files in the store's folder, none if it is gone.
  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: scratch.store.path)) ?? [])
  }

  /// All of these uses with one answer.
  static func all(_ uses: [String], _ answer: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: uses.map { ($0, answer) })
  }
}
