import AtRest
import AtRestDatabase
import AtRestKeybag
import Foundation
import GRDB

/// A program that has a store open in every way, and tells what each way answers: `witness STORE DEVICE
/// FOLDER [PASSCODE]`. It says `ready`, and then for each line of input, the name of a use, what became
/// of it: `done`, or the code of the error.
struct Witness {
  private let keybag: Keybag
  private let keychain: Keychain
  private let account: Compartment
  private let files: ProtectedFiles
  private let folder: URL
  private let passcode: String?
  private let database: VaultDatabase
  private let pool: DatabasePool
  private let reading: ProtectedFileHandle
  private let updating: ProtectedFileHandle
  private let always: ProtectedFileHandle
  private let fileOfVault: ProtectedFileHandle

  private static let note = VaultRecord<Data>("note", .document)
  private static let late = VaultRecord<Data>("late", .document)
  private static let scan = VaultRecord<Data>("scan", .document)
  private static let archive = VaultRecord<Data>("archive", .document)
  private static let large = Data(repeating: 7, count: 100_000)

  init(_ arguments: [String]) throws {
    guard (3...4).contains(arguments.count) else {
      throw AtRestError(.invalidArgument, "witness STORE DEVICE FOLDER …", remedy: "Name them.")
    }
    passcode = arguments.count == 4 ? arguments[3] : nil
    folder = URL(fileURLWithPath: arguments[2])
    let location = StoreLocation(store: arguments[0], device: arguments[1])
    keybag = try location.openKeybag()
    if let passcode { try keybag.unlock(passcode: SecretBytes(utf8: passcode)) }
    keychain = try Keychain.open(keybag, identity: ApplicationIdentity("app"), usesAgent: false)
    for name in ["first", "second"] {
      try keychain.set(Self.key(name), secret: SecretBytes(utf8: name))
    }
    let vault = try Vault.open(in: folder.appendingPathComponent("vault"), keychain: keychain)
    account = try vault.logIn("eva")
    try account.store(Data("note".utf8), in: Self.note)
    try account.store(Self.large, in: Self.scan)
    try account.preferences.set(1, forKey: "size")
    database = try account.database(in: Self.archive)
    try database.write {
      try $0.execute(sql: "CREATE TABLE letter (text); INSERT INTO letter VALUES (1)")
    }
    fileOfVault = try account.open(Self.scan)
    let (files, folder) = (ProtectedFiles(keybag, usesAgent: false), folder)
    self.files = files
    func file(_ name: String, _ protection: FileProtection) throws -> URL {
      let url = folder.appendingPathComponent(name)
      try files.protect(.data(Self.large), to: .file(url), protection: protection)
      return url
    }
    reading = try files.open(file("reading", .complete))
    updating = try files.open(file("updating", .completeUnlessOpen), for: .updating)
    always = try files.open(file("always", .none))
    pool = try EncryptedDatabase.open(
      at: folder.appendingPathComponent("own.db"), key: .item("own", in: keychain), creating: true)
    try pool.write {
      try $0.execute(sql: "CREATE TABLE letter (text); INSERT INTO letter VALUES (1)")
    }
    // What is in memory is not given out either.
    _ = try use("read")
    _ = try use("handle-read")
    _ = try use("preference")
  }

  private static func key(_ account: String) -> PrimaryKey {
    .genericPassword(service: "witness", account: account)
  }

  func run() {
    Self.say("ready")
    while let name = readLine() {
      do {
        Self.say("\(name) \(try use(name))")
      } catch let error as AtRestError {
        Self.say("\(name) \(error.code)")
      } catch let error as DatabaseError {
        Self.say("\(name) sqlite-\(error.resultCode.rawValue)")
      } catch {
        Self.say("\(name) other-error")
      }
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private func use(_ name: String) throws -> String {
    switch name {
    case "read": _ = try keychain.secret(for: Self.key("first")).count
    case "read-unread": _ = try keychain.secret(for: Self.key("second")).count
    case "read-restored": _ = try keychain.secret(for: Self.key("restored")).count
    case "read-former": _ = try files.read(folder.appendingPathComponent("former"))
    case "list": _ = try keychain.items(matching: KeychainQuery(.genericPassword)).count
    case "add": try keychain.add(Self.key(UUID().uuidString), secret: SecretBytes(utf8: "x"))
    case "update": try keychain.update(Self.key("first"), secret: SecretBytes(utf8: "y"))
    case "delete": try keychain.delete(Self.key("second"))
    case "open": try Keychain.open(keybag, identity: ApplicationIdentity("new")).close()
    case "transaction":
      try keychain.transaction {
        try keychain.add(Self.key(UUID().uuidString), secret: SecretBytes(utf8: "x"))
        Self.say("waiting")
        _ = readLine()
      }
    case "value": _ = try account.value(in: Self.note)
    case "store": try account.store(Data("late".utf8), in: Self.late)
    case "file": _ = try account.value(in: Self.scan)
    case "store-file": try account.store(Self.large, in: VaultRecord<Data>("more", .document))
    case "vault-handle": _ = try fileOfVault.read(upToCount: 10, at: 0)
    case "log-in": _ = try account.vault.logIn("tom")
    case "preference":
      guard try account.preferences.integer(forKey: "size") == 1 else { return "absent" }
    case "set-preference": try account.preferences.set(2, forKey: "other")
    case "database-read":
      _ = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM letter") }
    case "database-write":
      try database.write { try $0.execute(sql: "INSERT INTO letter VALUES (2)") }
    case "pool-read": _ = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM letter") }
    case "handle-read": _ = try reading.read(upToCount: 10, at: 0)
    case "handle-always": _ = try always.read(upToCount: 10, at: 50_000)
    case "handle-write": try updating.write(Data("change".utf8), at: 5)
    case "handle-synchronize": try updating.synchronize()
    case "protect":
      try files.protect(
        .data(Self.large), to: .file(folder.appendingPathComponent(UUID().uuidString)),
        protection: FileProtection.none)
    case "unprotect": _ = try files.read(folder.appendingPathComponent("always"))
    case "unlock":
      try keybag.unlock(passcode: SecretBytes(utf8: passcode ?? ""))
    case "state": return keybag.lockState.rawValue
    // Looks at the memory alone, as nothing that gives something out does.
    case "keys": return keybag.isAvailable(.noProtection) ? "present" : "erased"
    case "unlocked-keys": return keybag.isAvailable(.complete) ? "present" : "erased"
    default: return "unknown"
    }
    return "done"
  }
}
