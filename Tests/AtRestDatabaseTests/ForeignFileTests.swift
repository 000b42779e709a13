import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Files of others beside a database, whose names begin like its own: nothing of theirs is touched.
struct ForeignFileTests {
  @Test func databasesWithSimilarNamesLiveTogether() throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let names = ["app", "app-rekey", "app-new", "app-lock", "app-rekey-journal2"]
    func url(_ name: String) -> URL { scratch.folder.appendingPathComponent(name) }
    for name in names {
      let queue = try EncryptedDatabase.openQueue(at: url(name), key: key, creating: true)
      try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT '\(name)' AS a") }
      try queue.close()
    }
    try EncryptedDatabase.rekey(at: url("app"), key: key, to: key)
    try EncryptedDatabase.create(at: url("app2"), key: key)
    for name in names {
      let queue = try EncryptedDatabase.openQueue(at: url(name), key: key)
      #expect(try queue.read { try String.fetchOne($0, sql: "SELECT a FROM t") } == name)
      try queue.close()
    }
  }

  /// A log or a journal that a database left behind would be read into another one with its name.
  @Test(arguments: ["-wal", "-journal"])
  func nothingIsMadeBesideALogOfAnother(suffix: String) throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    try DatabaseQueue(path: plain.path).write { try $0.execute(sql: "CREATE TABLE t(a)") }
    let encrypted = scratch.folder.appendingPathComponent("encrypted.db")
    try EncryptedDatabase.importPlaintext(from: plain, to: encrypted, key: key)
    let left = URL(fileURLWithPath: scratch.file.path + suffix)
    let contents = Data("of another database".utf8)
    try contents.write(to: left)
    for make in [
      { try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key) },
      { try EncryptedDatabase.exportPlaintext(from: encrypted, key: key, to: scratch.file) },
      { try EncryptedDatabase.copy(from: encrypted, key: key, to: scratch.file, key: key) },
      { try EncryptedDatabase.create(at: scratch.file, key: key) },
    ] {
      let error = #expect(throws: AtRestError.self) { try make() }
      #expect(error?.code == .damaged)
      #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
      #expect(try Data(contentsOf: left) == contents)
    }
    // Control: without it, all of them work.
    try FileManager.default.removeItem(at: left)
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key)
  }
}
