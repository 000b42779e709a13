import AtRest
import AtRestCrypto
import AtRestDatabase
import AtRestEnvelopes
import AtRestFiles
import AtRestKeychain
import Foundation
import GRDB

/// One change that a program makes with the libraries.
struct Deed {
  private let order: Order
  private let opened: Opened

  init(_ order: Order, _ opened: Opened) {
    self.order = order
    self.opened = opened
  }

  func run(_ verb: String? = nil) throws {
    let verb = try verb ?? order.text("deed")
    switch verb {
    case "add", "set", "update", "delete", "pair": try changeItem(verb)
    case "file-write", "file-change", "file-class": try changeFile(verb)
    case "envelope-seal", "envelope-rotate": try changeEnvelope(verb)
    case "database-make", "row-insert", "row-delete": try changeDatabase(verb)
    case "value-store", "value-remove", "preference", "log-out": try changeVault(verb)
    case "backup":
      try opened.keychain.backup(
        to: URL(fileURLWithPath: order.text("to")), passphrase: order.secret("passphrase"),
        kdf: .forTesting)
    default:
      throw AtRestError(.invalidArgument, "There is no verb \(verb).", remedy: "Use another.")
    }
  }

  // MARK: Items

  private func changeItem(_ verb: String) throws {
    let keychain = opened.keychain
    let key = try self.key("account")
    switch verb {
    case "add":
      try keychain.add(
        key, secret: order.secret("secret"), attributes: [.label: .text(order.text("label"))],
        protection: protection())
    case "set": try keychain.set(key, secret: order.secret("secret"))
    case "update": try keychain.update(key, secret: order.secret("secret"))
    case "delete": try keychain.delete(key)
    default:
      // Two items in one transaction: both are stored, or none.
      let second = try self.key("second")
      try keychain.transaction {
        try keychain.set(key, secret: order.secret("secret"))
        try keychain.set(second, secret: order.secret("secret"))
      }
    }
  }

  private func key(_ name: String) throws -> PrimaryKey {
    if let server = order["server"] {
      return .internetPassword(server: server, account: try order.text(name), group: order["group"])
    }
    return .genericPassword(
      service: try order.text("service"), account: try order.text(name), group: order["group"])
  }

  private func protection() throws -> ItemProtection {
    guard let accessibility = Accessibility(name: try order.text("accessible")) else {
      throw AtRestError(.invalidArgument, "Not an accessibility.", remedy: "Use another.")
    }
    return .accessible(accessibility)
  }

  // MARK: Files and envelopes

  /// Returns contents of a size that are made of a text.
  private func contents() throws -> Data {
    let text = Data(try order.text("text").utf8)
    let size = Int(try order.text("size")) ?? 0
    var data = Data(capacity: size + text.count)
    while data.count < size { data.append(text) }
    return Data(data.prefix(size))
  }

  private func changeFile(_ verb: String) throws {
    let url = opened.place.file(try order.text("name"))
    let protection = order["class"].flatMap(FileProtection.init(rawValue:))
    switch verb {
    case "file-write": try opened.files.write(contents(), to: url, protection: protection)
    case "file-class": try opened.files.setProtection(protection ?? .complete, of: url)
    default:
      let contents = try contents()
      let handle = try opened.files.open(url, for: .updating)
      try handle.write(contents, at: 0)
      try handle.truncate(to: UInt64(contents.count))
      try handle.synchronize()
      try handle.close()
    }
  }

  private func changeEnvelope(_ verb: String) throws {
    let keys = opened.envelopeKeys
    if verb == "envelope-rotate" {
      _ = try keys.rotate()
      return
    }
    let name = try order.text("name")
    let envelope = try keys.seal(order.secret("text"), context: Data(name.utf8))
    try envelope.encoded.write(to: opened.place.envelope(name), options: .atomic)
  }

  // MARK: Databases and vaults

  private func changeDatabase(_ verb: String) throws {
    try opened.database(order.text("name")) { queue in
      if verb == "database-make" {
        if let mode = order["mode"] {
          try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
        }
        return try queue.write {
          try $0.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        }
      }
      let id = try order.text("id")
      try queue.write { db in
        if verb == "row-insert" {
          try db.execute(
            sql: "INSERT OR REPLACE INTO entry VALUES (?, ?)", arguments: [id, order.text("text")])
        } else {
          try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
        }
      }
    }
  }

  private func changeVault(_ verb: String) throws {
    let account = try opened.vault.logIn(order.text("account"))
    switch verb {
    case "value-store":
      try account.store(contents(), in: VaultRecord(order.text("name"), .document))
    case "value-remove": try account.remove(order.text("name"))
    case "preference": try account.preferences.set(order.text("text"), forKey: order.text("name"))
    default: try account.logOut()
    }
  }
}
