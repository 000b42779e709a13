import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// The samples of docs/Database.md. Between the marks is what the page shows.
struct DatabaseSamples {
  @Test func openADatabase() throws {
    let scratch = try Scratch()
    let url = scratch.file
    let keychain = try Scratch.keychain()
    // sample: open a database
    let database = try EncryptedDatabase.open(
      at: url, key: .item("app-database", in: keychain), creating: true)
    try database.write { db in
      try db.create(table: "note") { $0.column("text", .text) }
      try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: ["Buy milk"])
    }
    let notes = try database.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
    // sample: end
    #expect(notes == ["Buy milk"])
  }

  @Test func openWithAPassphrase() throws {
    let scratch = try Scratch()
    let url = scratch.file
    // sample: open with a passphrase
    let phrase = SecretBytes(utf8: "wren under 7 copper kettles")
    let database = try EncryptedDatabase.open(at: url, passphrase: phrase, creating: true)
    // sample: end
    try database.write { try $0.execute(sql: "CREATE TABLE t(a)") }
  }

  @Test func copyADatabase() throws {
    let scratch = try Scratch()
    let (url, plain) = (scratch.file, scratch.folder.appendingPathComponent("plain.db"))
    let key = DatabaseKey.item("app-database", in: try Scratch.keychain())
    try DatabaseQueue(path: plain.path).write { try $0.execute(sql: "CREATE TABLE t(a)") }
    // sample: copy a database
    try EncryptedDatabase.importPlaintext(from: plain, to: url, key: key)
    try EncryptedDatabase.rekey(at: url, key: key)
    let verification = try EncryptedDatabase.verify(at: url, key: key)
    // sample: end
    #expect(verification.isIntact)
  }
}
