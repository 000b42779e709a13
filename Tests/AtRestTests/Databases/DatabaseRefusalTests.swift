import AtRest
import Foundation
import GRDB
import Testing

/// A database is not taken for a value, nor a value for a database.
@Suite struct DatabaseRefusalTests {
  @Test func itIsNoValue() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let database = try eva.databaseWithNote()
    expect(.invalidArgument) { _ = try eva.value(in: .archive) }
    expect(.invalidArgument) { _ = try eva.secret(in: .archive) }
    expect(.invalidArgument) { _ = try eva.open(.archive) }
    expect(.invalidArgument) {
      try eva.copy(.archive, to: .file(test.folder.appendingPathComponent("copy")))
    }
    expect(.invalidArgument) { try eva.store(Data([1]), in: .archive) }
    expect(.invalidArgument) { try eva.store(.data(Data([1])), in: .archive) }
    expect(.invalidArgument) { try eva.update(.archive, default: Data()) { $0.append(1) } }
    #expect(try database.notes == ["walrus"])
    #expect(test.valueFiles.count == 3)
  }

  @Test func aValueIsNoDatabase() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(Data(count: 20_000), in: .archive)
    expect(.invalidArgument) { _ = try eva.database(in: .archive) }
    #expect(try eva.value(in: .archive) == Data(count: 20_000))
    try eva.remove(VaultRecord<Data>.archive)
    #expect(try eva.databaseWithNote().notes == ["walrus"])
  }

  @Test func someRecordsCannotBeDatabases() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.invalidArgument) { _ = try eva.database(in: VaultRecord("x", .token)) }
    expect(.neverStored) { _ = try eva.database(in: VaultRecord("x", .password)) }
    expect(.neverStored) { _ = try eva.database(in: VaultRecord("passwords", .document)) }
    expect(.invalidArgument) {
      _ = try eva.database(in: VaultRecord("x", .document, keep: Retention(uses: 2)))
    }
    #expect(try eva.contents.isEmpty)
    #expect(test.valueFiles.isEmpty)
  }

  @Test func aTransactionCannotMakeOne() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    expect(.invalidArgument) {
      try vault.keychain.transaction { _ = try eva.database(in: .archive) }
    }
    #expect(try eva.contents.isEmpty)
    let database = try eva.databaseWithNote()
    #expect(try vault.keychain.transaction { try database.notes } == ["walrus"])
  }

  /// Expects damage after the files of Eva's database were changed.
  private func expectDamage(_ spoil: (_ eva: URL, _ ada: URL) throws -> Void) throws {
    let test = try TestVault()
    var files: [URL] = []
    do {
      let vault = try test.open()
      for name in ["eva", "ada"] {
        let known = Set(test.valueFiles)
        let database = try vault.logIn(name).databaseWithNote("of \(name)")
        try database.pool.close()
        let new = Set(test.valueFiles).subtracting(known).filter { !$0.contains("-") }
        files.append(test.folder.appendingPathComponent("values/\(try #require(new.first))"))
      }
    }
    try spoil(files[0], files[1])
    let vault = try test.open()
    expect(.damaged) { _ = try vault.logIn("eva").database(in: .archive) }
    #expect(try vault.logIn("ada").database(in: .archive).notes == ["of ada"])
  }

  @Test func anotherFileInItsPlaceIsDamage() throws {
    let manager = FileManager.default
    try expectDamage { eva, ada in
      try manager.removeItem(at: eva)
      try manager.copyItem(at: ada, to: eva)
    }
    try expectDamage { eva, _ in try Data().write(to: eva) }
    try expectDamage { eva, _ in try manager.removeItem(at: eva) }
    try expectDamage { eva, ada in
      try manager.removeItem(at: eva)
      try manager.createSymbolicLink(at: eva, withDestinationURL: ada)
    }
  }
}
