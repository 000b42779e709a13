import AtRest
import Foundation
import GRDB
import Testing

/// A record that is a database.
@Suite struct DatabaseRecordTests {
  @Test func keepsWhatIsWritten() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    #expect(try eva.databaseWithNote().notes == ["walrus"])
    let again = try test.open().logIn("eva").database(in: .archive)
    #expect(try again.notes == ["walrus"])
    try again.add("seal")
    #expect(try eva.database(in: .archive).notes == ["walrus", "seal"])
  }

  @Test func writesNoPlaintextAndNoName() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let database = try eva.databaseWithNote()
    #expect(test.valueFiles.contains { $0.hasSuffix("-wal") })
    for file in test.valueFiles {
      let bytes = try Data(contentsOf: test.folder.appendingPathComponent("values/\(file)"))
      for text in ["walrus", "SQLite format", "CREATE TABLE"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file)")
      }
      #expect(!file.contains("archive") && !file.contains("eva"))
      let path = test.folder.appendingPathComponent("values/\(file)").path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(file)")
    }
    #expect(try database.notes == ["walrus"])
  }

  @Test func isTheSameForTwoCalls() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let first = try eva.database(in: .archive)
    let second = try eva.database(in: .archive)
    #expect(first === second)
    #expect(try first.pool === second.pool)
    let other = try eva.database(in: VaultRecord("other", .attachment))
    #expect(other !== first)
  }

  @Test func isOfOneAccount() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva").databaseWithNote("of Eva")
    let ada = try vault.logIn("ada").databaseWithNote("of Ada")
    #expect(try eva.notes == ["of Eva"])
    #expect(try ada.notes == ["of Ada"])
  }

  @Test func canBeUsedAsynchronously() async throws {
    let test = try TestVault()
    let database = try await test.open().logIn("eva").database(in: .archive)
    try await database.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
    let count = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
    #expect(count == 0)
  }

  @Test func isListedExplainedAndReported() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let database = try eva.databaseWithNote()
    let listed = try #require(try eva.contents.first)
    #expect(listed.name == "archive" && listed.store == .database && listed.kind == "attachment")
    #expect(listed.size >= 4096)
    let entry = try #require(try eva.report().entries.first { $0.name == "archive" })
    #expect(entry.kind == "attachment" && entry.size == listed.size)
    let decision = try eva.vault.explain(database: .archive)
    #expect(decision.store == .database && decision.key == .device)
    #expect("\(decision)".contains("store: database"))
    // A kind that is stored by size is a database whatever its size.
    #expect(try eva.vault.explain(database: .report).store == .database)
    // Control: the same record as a value.
    #expect(try eva.vault.explain(.archive).store == .file)
    #expect(try database.notes == ["walrus"])
  }

  @Test func needsThePassphraseIfThePolicySaysSo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.passphraseNotSet) { _ = try eva.database(in: .genome) }
    try eva.setPassphrase(phrase())
    #expect(try eva.databaseWithNote(in: .genome).notes == ["walrus"])
    let vault = try test.open()
    expect(.passphraseRequired) { _ = try vault.logIn("eva").database(in: .genome) }
    let again = try vault.logIn("eva")
    try again.unlock(passphrase: phrase())
    try again.changePassphrase(from: phrase(), to: phrase("wren under 8 copper kettles"))
    #expect(try again.database(in: .genome).notes == ["walrus"])
  }
}
