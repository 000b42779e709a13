@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The operator's commands as processes: what they print, and their exit codes.
@Suite struct OperatorCommandTests {
  private let folder = TemporaryFile()
  private let key: String
  private let database: String

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    key = "\(folder.path)/server-key"
    database = "\(folder.path)/keys.db"
    #expect(try run(["key", "create", key]).status == 0)
  }

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    try ChildProcess.capture([ServerProgram.path] + arguments, environment: environment)
  }

  /// Runs a command on the database of the test.
  private func on(
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    try run(arguments + ["--embedded", database, "--server-key", key])
  }

  private func store() throws -> KeyServerStore {
    try KeyServerStore(
      Database(.embedded(path: database)),
      serverKey: SecretBytes(
        Data(hexadecimal: String(contentsOfFile: key, encoding: .utf8)) ?? Data()))
  }

  private func lines<Line: Decodable>(_ output: String, as type: Line.Type) throws -> [Line] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try output.split(separator: "\n").map {
      try decoder.decode(Line.self, from: Data($0.utf8))
    }
  }

  private struct Code: Decodable { let account: String, code: String }
  private struct Account: Decodable {
    let name: String, attempts: Int, revoked: Bool, keyDestroyed: Bool, hasPassphrase: Bool
    let destroysKeyAfterLimit: Bool, allowsUnknownDevices: Bool, lockedUntil: Date?
  }
  private struct Device: Decodable {
    let id: String, account: String, label: String, enrolled: Date, revoked: Date?
  }
  private struct Entry: Decodable { let number: Int, time: Date, event: String }
  private struct End: Decodable { let entries: Int, chain: String }

  // MARK: Accounts

  @Test func `An account is created, listed, revoked, restored and deleted`() throws {
    let created = try on(["account", "create", "eva", "--destroy-key-after-limit"])
    #expect(created.status == 0)
    #expect(created.output.wholeMatch(of: /([2-9A-Z]{5}-){4}[2-9A-Z]{5}\n/) != nil)
    #expect(try on(["account", "list"]).output == "eva\tattempts 0\tno passphrase\n")
    #expect(try on(["account", "revoke", "eva"]).status == 0)
    #expect(try on(["account", "list"]).output == "eva\tattempts 0\trevoked\tno passphrase\n")
    #expect(try on(["account", "restore", "eva"]).status == 0)
    let code = try on(["account", "code", "eva", "--json"])
    let made = try lines(code.output, as: Code.self)
    #expect(made.map(\.account) == ["eva"] && made[0].code.count == 29)
    let account = try lines(on(["account", "list", "--json"]).output, as: Account.self)
    #expect(account.count == 1 && account[0].name == "eva" && !account[0].revoked)
    #expect(account[0].destroysKeyAfterLimit && !account[0].allowsUnknownDevices)
    #expect(try on(["account", "delete", "eva"]).status == 0)
    #expect(try on(["account", "list"]).output.isEmpty)
  }

  @Test func `Attempts are shown, and unlock forgets them`() throws {
    #expect(try on(["account", "create", "eva", "--allow-unknown-devices"]).status == 0)
    for _ in 0..<5 {
      _ = try TestAttempt("guess", account: "eva", publicKey: nil, store(), nil)
    }
    let locked = try lines(on(["account", "list", "--json"]).output, as: Account.self)
    #expect(locked[0].attempts == 5)
    #expect(try #require(locked[0].lockedUntil) > Date())
    #expect(try on(["account", "list"]).output.contains("locked until 2"))
    #expect(try on(["account", "unlock", "eva"]).status == 0)
    let unlocked = try lines(on(["account", "list", "--json"]).output, as: Account.self)
    #expect(unlocked[0].attempts == 0 && unlocked[0].lockedUntil == nil)
  }

  @Test func `Reset replaces the key of the passphrase`() throws {
    #expect(try on(["account", "create", "eva"]).status == 0)
    let device = try TestDevice(store(), account: "eva")
    try device.register("right", store())
    #expect(try lines(on(["account", "list", "--json"]).output, as: Account.self)[0].hasPassphrase)
    #expect(try on(["account", "reset", "eva"]).status == 0)
    expectError(.otherServerKey) { try device.attempt("right", store()) }
    #expect(
      try !lines(on(["account", "list", "--json"]).output, as: Account.self)[0].hasPassphrase)
  }

  @Test(arguments: ["code", "revoke", "restore", "unlock", "reset", "delete"])
  func `An account that does not exist is not found`(verb: String) throws {
    let refused = try on(["account", verb, "nobody"])
    #expect(refused.status == 3 && refused.output.isEmpty)
    #expect(refused.errors.contains("There is no account with this name"))
  }

  @Test func `A name that is taken, empty or too long is refused`() throws {
    #expect(try on(["account", "create", "eva"]).status == 0)
    #expect(try on(["account", "create", "eva"]).status == 1)
    #expect(try on(["account", "create", ""]).status == 2)
    #expect(try on(["account", "create", String(repeating: "x", count: 256)]).status == 2)
    #expect(try on(["account", "create", String(repeating: "x", count: 255)]).status == 0)
  }

  // MARK: Devices

  @Test func `Devices are listed and revoked`() throws {
    for name in ["eva", "tom"] { #expect(try on(["account", "create", name]).status == 0) }
    let eva = try TestDevice(store(), account: "eva", label: "a\u{1B}[2Jlaptop")
    let tom = try TestDevice(store(), account: "tom")
    // Control characters in a label, which the client chose, do not reach the terminal.
    let text = try on(["device", "list"]).output
    #expect(text.contains("\(eva.id.hexadecimal)\teva\ta\u{FFFD}[2Jlaptop\tenrolled "))
    #expect(!text.contains("\u{1B}"))
    let all = try lines(on(["device", "list", "--json"]).output, as: Device.self)
    #expect(Set(all.map(\.id)) == [eva.id.hexadecimal, tom.id.hexadecimal])
    let own = try lines(
      on(["device", "list", "--account", "tom", "--json"]).output, as: Device.self)
    #expect(own.map(\.id) == [tom.id.hexadecimal] && own[0].revoked == nil)
    #expect(try on(["device", "revoke", tom.id.hexadecimal]).status == 0)
    let revoked = try lines(
      on(["device", "list", "--account", "tom", "--json"]).output, as: Device.self)
    #expect(revoked[0].revoked != nil)
    expectError(.revoked) { try tom.attempt("guess", store()) }
    _ = try eva.attempt("guess", store())
  }

  @Test func `A device that does not exist is not found, and a bad identifier is refused`() throws {
    #expect(try on(["device", "revoke", String(repeating: "00", count: 16)]).status == 3)
    #expect(try on(["device", "revoke", "laptop"]).status == 2)
    #expect(try on(["device", "revoke", "00"]).status == 2)
    #expect(try on(["device", "list", "--account", "nobody"]).status == 3)
  }

  // MARK: The audit log

  @Test func `The audit log is printed and verified`() throws {
    #expect(try on(["account", "create", "eva"]).status == 0)
    #expect(try on(["account", "revoke", "eva"]).status == 0)
    let text = try on(["audit"]).output.split(separator: "\n")
    #expect(text.count == 4 && text[2].hasSuffix("\taccount revoked: eva"))
    let json = try on(["audit", "--json"]).output.split(
      separator: "\n", omittingEmptySubsequences: true)
    let entries = try lines(json.dropLast().joined(separator: "\n"), as: Entry.self)
    #expect(entries.map(\.number) == [1, 2, 3] && entries[0].event == "account created: eva")
    let end = try lines(String(json[3]), as: End.self)[0]
    #expect(end.entries == 3 && end.chain.count == 64)
    #expect(try on(["audit", "--quiet"]).output == "3 entries, chain \(end.chain)\n")
  }

  @Test func `An altered log is damaged, after its intact entries`() throws {
    for name in ["eva", "tom"] { #expect(try on(["account", "create", name]).status == 0) }
    let sql = "DELETE FROM keyserver_audit WHERE rowid = (SELECT max(rowid) FROM keyserver_audit)"
    let edited = try ChildProcess.run([
      "python3", "-c",
      "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()",
      database, sql,
    ])
    #expect(edited.status == 0, "\(edited.text)")
    let refused = try on(["audit"])
    #expect(refused.status == 6 && refused.errors.contains("The audit log was altered"))
    #expect(refused.output.split(separator: "\n").count == 3)
  }

  // MARK: The server key

  @Test func `A server key is created once, and only its owner can read it`() throws {
    let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let before = try Data(contentsOf: URL(fileURLWithPath: key))
    #expect(try run(["key", "create", key]).status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == before)
    #expect(try run(["key", "create", "\(folder.path)/none/key"]).status == 1)
  }

  @Test func `The root key is rotated, and the former server key is refused`() throws {
    #expect(try on(["account", "create", "eva"]).status == 0)
    let second = "\(folder.path)/second"
    #expect(try run(["key", "create", second]).status == 0)
    #expect(try on(["key", "rotate", key]).status == 2)
    let rotated = try on(["key", "rotate", second])
    #expect(rotated.status == 0 && rotated.errors.contains("erase the former one"))
    let refused = try on(["account", "list"])
    #expect(refused.status == 6 && refused.errors.contains("does not belong to this database"))
    let list = ["account", "list", "--embedded", database, "--server-key"]
    #expect(try run(list + [second]).output.hasPrefix("eva\t"))
    // The operator may not know whether it was done.
    let again = try on(["key", "rotate", second])
    #expect(again.status == 0 && again.errors.contains("was rotated to this server key before"))
    // A server that has both goes on, whichever is in use.
    let next = ["ATREST_KEYSERVER_NEXT_SERVER_KEY": second]
    #expect(try run(list + [key], environment: next).output.hasPrefix("eva\t"))
  }

  @Test func `A server key that is missing, unreadable or damaged is refused as that`() throws {
    let list = ["account", "list", "--embedded", database, "--server-key"]
    #expect(try run(list + ["\(folder.path)/none"]).status == 3)
    let damaged = TemporaryFile()
    for text in [
      "", "0a", String(repeating: "0a", count: 31) + "zz", String(repeating: "0a", count: 33),
    ] {
      try damaged.write(text)
      #expect(try run(list + [damaged.path]).status == 6, "\(text)")
    }
    // The control: capital letters and a final line break are accepted.
    try damaged.write(
      try String(contentsOfFile: key, encoding: .utf8).uppercased() + "\r\n")
    #expect(try run(list + [damaged.path]).status == 0)
    if getuid() != 0 {
      chmod(key, 0)
      #expect(try on(["account", "list"]).status == 5)
    }
  }

  // MARK: Usage

  @Test(arguments: [
    ["account"], ["account", "create"], ["account", "nonsense"], ["nonsense"], ["key", "create"],
    ["account", "list", "--nonsense"], ["serve", "--embedded", "x", "--server-key", "y"],
  ])
  func `Wrong usage ends with 2 or with help`(arguments: [String]) throws {
    let result = try run(arguments)
    if arguments == ["account"] {
      #expect(result.status == 0 && result.output.contains("SUBCOMMANDS"))
    } else {
      #expect(result.status == 2 && result.output.isEmpty && !result.errors.isEmpty)
    }
  }

  @Test func `A database that cannot be reached is a failure, and not a missing account`() throws {
    let refused = try run([
      "account", "list", "--database", "host=/nonexistent dbname=keys", "--server-key", key,
    ])
    #expect(refused.status == 1 && refused.errors.contains("The database cannot be reached"))
  }
}
