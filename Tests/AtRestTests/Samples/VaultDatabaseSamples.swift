import AtRest
import Foundation
import GRDB
import Testing

/// The sample of docs/Vault.md for databases. Between the marks is what the page shows.
@Suite struct VaultDatabaseSamples {
  @Test func keepADatabase() throws {
    let test = try TestVault()
    let account = try test.open().logIn("eva")
    // sample: keep a database
    let record = VaultRecord<Data>("archive", .document)
    let archive = try account.database(in: record)
    try archive.write { db in
      try db.create(table: "letter") { $0.column("text", .text) }
      try db.execute(sql: "INSERT INTO letter VALUES (?)", arguments: ["Meet at the old mill"])
    }
    let letters = try archive.read { try String.fetchAll($0, sql: "SELECT text FROM letter") }
    print(try account.vault.explain(database: record))
    // sample: end
    #expect(letters == ["Meet at the old mill"])
  }
}
