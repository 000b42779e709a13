import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// A database with rows, its key, and the program that draws a new key for it.
final class RekeyScene {
  /// Where the key is.
  enum Kind: String, CaseIterable, Sendable {
    case item, keyFile, passphrase
  }

  static let rows = 40

  let scratch: Scratch
  private let store: URL
  private let device: URL
  let kind: Kind
  let usesLog: Bool
  /// The files, which are at the same path in each copy: a database that was moved keeps its former key.
  var data: URL { scratch.folder.appendingPathComponent("data") }
  var file: URL { data.appendingPathComponent("notes.db") }
  /// The files as they were made.
  var original: URL { scratch.folder.appendingPathComponent("original") }
  private var keyFile: URL { data.appendingPathComponent("notes.key") }
  private static let format: DatabaseFormat = {
    var format = DatabaseFormat.sqlcipher4
    format.rounds = 1_000
    return format
  }()

  /// Makes the database, and another one with the same key.
  ///
  /// Programs make them. A connection in this process may be closed a little later, by another thread, and would
  /// change the store while it is copied.
  init(_ kind: Kind, usesLog: Bool) throws {
    scratch = try Scratch(in: Scratch.memory)
    (store, device) = (scratch.store, scratch.device)
    self.kind = kind
    self.usesLog = usesLog
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    for word in ["old", "new"] { try Data(word.utf8).write(to: words(word)) }
    if kind == .item {
      try PowerScenario.run(
        scratch, PowerScenario.command(scratch, ["init", "--no-passcode"]))
    }
    let numbers = "VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows)"
    let statements = [
      "PRAGMA journal_mode = \(usesLog ? "wal" : "delete")",
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b)",
      "WITH RECURSIVE n(i) AS (\(numbers)) INSERT INTO t SELECT i, zeroblob(900) FROM n",
    ]
    for url in [file, data.appendingPathComponent("other.db")] {
      try PowerScenario.run(
        scratch,
        program("shell", ["--new", "--accept-weak-passphrase"]) + [
          url.path, statements.joined(separator: ";"),
        ])
    }
    try FileManager.default.copyItem(at: data, to: original)
  }

  private init(copying scene: RekeyScene) throws {
    scratch = scene.scratch
    (kind, usesLog) = (scene.kind, scene.usesLog)
    let name = UUID().uuidString
    (store, device) = (
      scratch.folder.appendingPathComponent("store-\(name)"),
      scratch.folder.appendingPathComponent("device-\(name)")
    )
    try FileManager.default.removeItem(at: data)
    var copies = [(original, data)]
    if kind == .item { copies += [(scratch.store, store), (scratch.device, device)] }
    for (from, to) in copies { try FileManager.default.copyItem(at: from, to: to) }
  }

  /// Returns the scene as it was made. The files take the place of those of other copies.
  func copy() throws -> RekeyScene { try RekeyScene(copying: self) }

  private func words(_ name: String) -> URL { data.appendingPathComponent("\(name)-phrase") }

  private func key(_ passphrase: String = "old") throws -> DatabaseKey {
    let phrase = SecretBytes(utf8: passphrase)
    switch kind {
    case .passphrase: return .passphrase(phrase)
    case .keyFile: return .keyFile(keyFile, passphrase: phrase, kdf: .pbkdf2SHA512())
    case .item:
      let keybag = try Keybag.open(
        at: store, device: FileDeviceKey.openOrCreate(in: device))
      if keybag.lockState != .unlocked { try keybag.unlock() }
      return .item("notes", in: try Keychain.open(keybag, identity: .owner(), usesAgent: false))
    }
  }

  /// The path of the program, and its arguments without the file.
  private func program(_ verb: String, _ options: [String]) throws -> [String] {
    let key =
      switch kind {
      case .item:
        ["--item", "notes", "--store", store.path, "--device", device.path]
      case .keyFile: ["--key-file", keyFile.path, "--passphrase-file", words("old").path]
      case .passphrase: ["--passphrase-file", words("old").path]
      }
    return [try Worker.binary("atrest").path, "database", verb, "--rounds", "1000"] + key + options
  }

  private func rekey() throws -> [String] {
    let options =
      kind == .passphrase
      ? ["--new-passphrase-file", words("new").path, "--accept-weak-passphrase"] : []
    return try program("rekey", options) + [file.path]
  }

  /// A database that is made while something goes wrong.
  var created: URL { data.appendingPathComponent("created.db") }

  func creation() throws -> [String] {
    try program("shell", ["--new", "--accept-weak-passphrase"]) + [created.path, "SELECT 1"]
  }

  /// Opens that database, and makes it if it does not exist. Returns the number of keys.
  func countAfterCreation() throws -> Int {
    let key = try key()
    try EncryptedDatabase.openQueue(
      at: created, key: key, format: Self.format, creating: true
    ).close()
    return try EncryptedDatabase.keys(of: key).count
  }

  /// The calls that fail, as in `atrest_fault`.
  enum Failure: Int, CaseIterable {
    case once, lasting
    /// One call has its effect, and reports an error all the same.
    case afterTheEffect
    /// The same with a rename, and then the status of its two names cannot be read any more.
    case withoutAnAnswer
  }

  struct Outcome {
    /// The program's status, or 128 and the number of the signal.
    let status: Int
    let calls: Int
    let failures: Int
  }

  /// Runs the program, or another one. One of its calls that change a file is its last one, or fails.
  @discardableResult
  func run(
    killAt: Int = 0, failAt: Int = 0, with error: Int32 = 0, _ failure: Failure = .once,
    program: [String]? = nil
  ) throws -> Outcome {
    let result = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-rekey-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: result) }
    let worker = try Worker(
      program: "atrest-torture-worker",
      [
        "fail", store.path, device.path, result.path, "\(killAt)", "\(failAt)",
        "\(error)", "\(failure.rawValue)",
      ] + (program ?? rekey()))
    let (lines, _, status) = worker.finish()
    let numbers = try String(decoding: Data(contentsOf: result), as: UTF8.self).split(
      separator: " "
    )
    .compactMap { Int($0) }
    guard status == 0, numbers.count == 3 else { throw Recording.Failure(lines: lines) }
    return Outcome(status: numbers[0], calls: numbers[1], failures: numbers[2])
  }

  // MARK: Judgement

  /// Opens the databases. Returns what is wrong, or nil if both have all rows, and all leftovers are gone.
  func fault() -> String? {
    var errors: [String] = []
    for name in kind == .passphrase ? ["old", "new"] : ["old"] {
      do {
        let key = try key(name)
        try check(file, key)
        if kind != .passphrase {
          try check(data.appendingPathComponent("other.db"), key)
          let entries = try EncryptedDatabase.keys(of: key)
          guard entries.count == 2, !entries.contains(where: \.isUnfinished) else {
            return "the keys are \(entries)"
          }
        }
        return try leftovers()
      } catch {
        errors.append("\(error)")
      }
    }
    return errors.joined(separator: "; ")
  }

  private func check(_ url: URL, _ key: DatabaseKey) throws {
    let queue = try EncryptedDatabase.openQueue(at: url, key: key, format: Self.format)
    let found = try queue.read { db in
      try [
        String.fetchOne(db, sql: "SELECT count(*) || ' ' || sum(length(b)) FROM t"),
        String.fetchOne(db, sql: "PRAGMA integrity_check"),
      ]
    }
    try queue.close()
    guard found == ["\(Self.rows) \(Self.rows * 900)", "ok"] else { throw Wrong(found: "\(found)") }
    guard try EncryptedDatabase.verify(at: url, key: key, format: Self.format).isIntact else {
      throw Wrong(found: "pages that are not authentic")
    }
  }

  private struct Wrong: Error { let found: String }

  private func leftovers() throws -> String? {
    let expected: Set = ["notes.db", "other.db", "old-phrase", "new-phrase"]
    // A key file's lock and its new contents stay until they are needed again.
    let harmless: Set = ["notes.key", "notes.key.atrest-lock", "notes.key.atrest-new"]
    let found = Set(try FileManager.default.contentsOfDirectory(atPath: data.path))
    return found.subtracting(harmless) == expected ? nil : "the files are \(found.sorted())"
  }
}
