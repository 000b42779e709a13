import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A store of 20 items of every kind, with a database that a test can edit, and every way to read
/// the items.
final class TamperedStore {
  static let passcode = "correct horse battery"
  private static let group = "com.example.app"

  let scratch = try! Scratch()
  let keybag: Keybag
  private(set) var secrets: [PrimaryKey: String] = [:]
  private var references: [PrimaryKey: PersistentReference] = [:]
  private var publicKeys: [String: Data] = [:]
  private let target: Keychain
  private var tables: [String: [Row]] = [:]

  /// - Parameter isMerged: True if the trees of the index hold the items, false if its last changes
  ///   do.
  init(isMerged: Bool) throws {
    let device = try FileDeviceKey.openOrCreate(in: scratch.device)
    let options = Keybag.Options(kdf: .forTesting)
    keybag = try Keybag.create(
      at: scratch.store, device: device, passcode: SecretBytes(utf8: Self.passcode),
      options: options)
    let other = try Keybag.create(
      at: scratch.folder.appendingPathComponent("target"), device: device,
      passcode: SecretBytes(utf8: Self.passcode), options: options)
    target = try Keychain.open(other, identity: .owner(defaultGroup: Self.group))
    let keychain = try open()
    try fill(keychain)
    if isMerged { try merge(keychain) }
    keychain.close()
    tables = try Self.read(path)
  }

  deinit {
    target.close()
    keybag.close()
  }

  var path: String { scratch.store.appendingPathComponent("keychain.db").path }

  private func open() throws -> Keychain {
    try Keychain.open(keybag, identity: .owner(defaultGroup: Self.group))
  }

  private func fill(_ keychain: Keychain) throws {
    var keys: [(PrimaryKey, ItemProtection)] = []
    for (number, accessibility) in Accessibility.allCases.enumerated() {
      keys.append(
        (.genericPassword(service: "mail", account: "\(number)"), .accessible(accessibility)))
    }
    for number in 0..<4 {
      keys.append(
        (.internetPassword(server: "example.com", account: "\(number)"), .whenUnlocked))
    }
    for number in 0..<3 {
      keys.append(
        (
          .genericPassword(service: "other", account: "\(number)", group: "com.example.other"),
          .accessible(.afterFirstUnlock)
        ))
    }
    keys.append(
      (
        .genericPassword(service: "mail", account: "sync", synchronizable: true),
        .whenUnlocked
      ))
    for number in 0..<2 {
      keys.append(
        (
          .certificate(issuer: Data([0x30, 0]), serialNumber: Data([UInt8(number)])),
          .accessible(.always)
        ))
    }
    for (number, (key, protection)) in keys.enumerated() {
      references[key] = try keychain.add(
        key, secret: SecretBytes(utf8: "old \(number)"),
        attributes: [.label: .text("L\(number % 3)")],
        protection: protection)
    }
    for (number, (key, _)) in keys.enumerated() {
      secrets[key] = "secret \(number)"
      if number % 2 == 0 {
        try keychain.update(key, secret: SecretBytes(utf8: "secret \(number)"))
      } else {
        try keychain.update(
          key, ItemChange(attributes: [.label: .text("M\(number % 2)")]),
          secret: SecretBytes(utf8: "secret \(number)"))
      }
    }
    for tag in ["a", "b", "c"] {
      publicKeys[tag] = try keychain.createKey(.p256, tag: tag).derRepresentation
    }
  }

  var itemCount: Int { secrets.count + publicKeys.count }

  /// Adds more than the index keeps outside its trees, and deletes that again.
  private func merge(_ keychain: Keychain) throws {
    let secret = SecretBytes(utf8: "x")
    let keys = (0..<2_000).map {
      PrimaryKey.genericPassword(service: "bulk \($0)", account: "\($0)")
    }
    try keychain.transaction { for key in keys { try keychain.add(key, secret: secret) } }
    try keychain.transaction { for key in keys { try keychain.delete(key) } }
  }

  // MARK: Editing

  func rows(_ table: String) -> [Row] { tables[table] ?? [] }

  private static func read(_ path: String) throws -> [String: [Row]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      try ["item", "node", "change"].reduce(into: [:]) { tables, name in
        tables[name] = try Row.fetchAll(database, sql: "SELECT * FROM \(name) ORDER BY id")
      }
    }
  }

  /// Edits the database, and restores it after the closure has examined it.
  func edited(_ sql: [String], _ look: () throws -> Void) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { database in
      try database.execute(sql: "PRAGMA writable_schema = ON")
      for statement in sql { try database.execute(sql: statement) }
    }
    try queue.close()
    defer { try? restore() }
    try look()
  }

  private func restore() throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.write { database in
      for (table, rows) in tables {
        try database.execute(sql: "DELETE FROM \(table)")
        for row in rows {
          let marks = Array(repeating: "?", count: row.count).joined(separator: ",")
          try database.execute(
            sql: "INSERT INTO \(table) VALUES (\(marks))",
            arguments: StatementArguments(row.databaseValues))
        }
      }
    }
  }

  // MARK: Reading

  /// Returns the wrong results of every reading call.
  func faults() -> [String] {
    do {
      let keychain = try open()
      defer { keychain.close() }
      return singleFaults(keychain) + listFaults(keychain) + keyFaults(keychain)
        + backupFaults(keychain)
    } catch {
      return Self.isRefusal(error) ? [] : ["open: \(error)"]
    }
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    (error as? AtRestError)?.refusal == .damaged
  }

  private func check(_ what: String, _ body: () throws -> String?) -> [String] {
    do {
      return try body().map { ["\(what): \($0)"] } ?? []
    } catch {
      return Self.isRefusal(error) ? [] : ["\(what): \(error)"]
    }
  }

  private func singleFaults(_ keychain: Keychain) -> [String] {
    secrets.flatMap { key, secret in
      let grouped = key.group == nil ? Self.group : "com.example.other"
      func compare(_ found: String?) -> String? {
        found == secret ? nil : "WRONG \(found ?? "nil")"
      }
      let words = "\(key.attributes)"
      return check("secret \(words)") { compare(String(copying: try keychain.secret(for: key))) }
        + check("item \(words)") {
          let item = try keychain.item(for: key)
          return item.group == grouped ? nil : "WRONG group \(item.group)"
        }
        + check("reference \(words)") {
          guard let reference = self.references[key] else { return "no reference" }
          return compare(String(copying: try keychain.secret(for: reference)))
        }
    }
  }

  private func listFaults(_ keychain: Keychain) -> [String] {
    func list(_ query: KeychainQuery, _ expected: Int) -> [String] {
      check("list \(query.itemClass) \(query.attributes) \(query.group ?? "")") {
        let items = try keychain.items(matching: query, secrets: query.itemClass != .key)
        for item in items where query.itemClass != .key {
          let key = item.primaryKey
          let mine = self.secrets.first {
            $0.key.attributes == key.attributes && ($0.key.group ?? Self.group) == key.group
              && $0.key.isSynchronizable == key.isSynchronizable
          }
          let text = item.withSecret { String(decoding: $0, as: UTF8.self) }
          if mine?.value != text { return "WRONG \(text ?? "nil")" }
        }
        if items.count > expected { return "\(items.count) items, and \(expected) are there" }
        // A withheld entry without a reference stands for all items of a part of the index.
        let isPartHidden = items.withheld.contains { $0.reference == nil }
        if items.count < expected && !isPartHidden
          && items.withheld.count < expected - items.count
        {
          return "MISSING \(expected - items.count), withheld \(items.withheld.count)"
        }
        return nil
      }
    }
    func query(
      _ itemClass: ItemClass, _ attributes: ItemAttributes = [:], _ group: String? = nil
    ) -> KeychainQuery {
      KeychainQuery(itemClass, attributes, group: group, synchronizable: .any)
    }
    func count(_ label: String) -> Int {
      secrets.count { key, secret in
        let number = Int(secret.dropFirst("secret ".count)) ?? 0
        return key.itemClass == .genericPassword
          && label == (number % 2 == 0 ? "L\(number % 3)" : "M1")
      }
    }
    return list(query(.genericPassword), 11) + list(query(.internetPassword), 4)
      + list(query(.certificate), 2) + list(query(.key), 3)
      + list(query(.genericPassword, [.service: "mail"]), 8)
      + list(query(.genericPassword, [.service: "other"]), 3)
      + list(query(.genericPassword, [.service: "other"], "com.example.other"), 3)
      + list(query(.genericPassword, [:], Self.group), 8)
      + list(query(.internetPassword, [.server: "example.com"]), 4)
      + list(query(.internetPassword, [.account: "1"]), 1)
      + list(query(.genericPassword, [.label: "M1"]), count("M1"))
      + list(query(.genericPassword, [.label: "L1"]), count("L1"))
      + check("count") {
        let found = try keychain.count()
        return found == self.itemCount ? nil : "\(found) instead of \(self.itemCount)"
      }
  }

  private func keyFaults(_ keychain: Keychain) -> [String] {
    publicKeys.flatMap { tag, der in
      check("public key \(tag)") {
        try keychain.publicKey(tag: tag).derRepresentation == der ? nil : "WRONG key"
      }
        + check("signature \(tag)") {
          let message = Data("message".utf8)
          let signature = try keychain.sign(message, tag: tag)
          return try PublicKey(importing: der).isValidSignature(signature, for: message)
            ? nil : "WRONG key"
        }
    }
  }

  /// A backup contains everything that may migrate, or it fails.
  private func backupFaults(_ keychain: Keychain) -> [String] {
    check("backup") {
      let file = scratch.folder.appendingPathComponent("backup")
      let passphrase = SecretBytes(utf8: "a passphrase for the backup")
      let summary = try keychain.backup(to: file, passphrase: passphrase, kdf: .forTesting)
      guard summary.migratable + summary.thisDeviceOnly == self.itemCount - 1,
        summary.leftOut.count == 1
      else { return "MISSING: \(summary)" }
      try target.restore(from: file, passphrase: passphrase, conflicts: .replace)
      for (key, secret) in self.secrets
      where key.attributes.account != "\(Accessibility.allCases.count - 1)"
        || key.itemClass != .genericPassword
      {
        let found = String(copying: try target.secret(for: key))
        if found != secret { return "WRONG \(found ?? "nil") of \(key.attributes)" }
      }
      return nil
    }
  }
}
