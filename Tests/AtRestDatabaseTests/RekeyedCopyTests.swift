import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A copy of a database has its key. A new key for the copy leaves the key of the original, wherever the two are.
struct RekeyedCopyTests {
  private let scratch = try! Scratch()
  private var key: DatabaseKey {
    .keyFile(
      scratch.folder.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
  }
  private static let format = {
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    return format
  }()

  private func url(_ name: String) -> URL { scratch.folder.appendingPathComponent(name) }

  private func make(_ name: String, _ format: DatabaseFormat) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: url(name), key: key, format: format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    try queue.close()
  }

  private func isOpened(_ name: String, _ format: DatabaseFormat) throws -> Bool {
    do {
      let queue = try EncryptedDatabase.openQueue(at: url(name), key: key, format: format)
      defer { try? queue.close() }
      return try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7
    } catch AtRestError.Code.authenticationFailed {
      return false
    }
  }

  private func rekey(_ name: String, _ format: DatabaseFormat) throws -> DatabaseKeyEntry? {
    try EncryptedDatabase.rekey(at: url(name), key: key, format: format)
  }

  /// The database has another name than its record, as after a restore: the name does not find it.
  @Test(arguments: ["test.db", "elsewhere/app.db"], [DatabaseFormat.sqlcipher4, format])
  func theOriginalKeepsItsKey(copy: String, format: DatabaseFormat) throws {
    try make("new.db", format)
    try FileManager.default.moveItem(at: url("new.db"), to: url("app.db"))
    try FileManager.default.createDirectory(
      at: url("elsewhere"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(at: url("app.db"), to: url(copy))
    let former = try #require(try rekey(copy, format))
    #expect(former.name == "new.db" && !former.isUnfinished)
    #expect(try isOpened("app.db", format))
    #expect(try isOpened(copy, format))
    // The original gets a new key too. It was moved, so the former one stays once more, and then no longer.
    #expect(try rekey("app.db", format) == former)
    #expect(try rekey("app.db", format) == nil)
    #expect(try EncryptedDatabase.keys(of: key).count == 3)
    try EncryptedDatabase.removeKey(of: former.salt, from: key)
    #expect(try isOpened("app.db", format))
    #expect(try isOpened(copy, format))
  }

  /// Control: a rekey of the original removes its key, so that copies no longer open.
  @Test(arguments: [DatabaseFormat.sqlcipher4, format])
  func theKeyOfTheOriginalIsRemoved(format: DatabaseFormat) throws {
    try make("app.db", format)
    try FileManager.default.copyItem(at: url("app.db"), to: url("test.db"))
    #expect(try rekey("app.db", format) == nil)
    #expect(try isOpened("app.db", format))
    #expect(try !isOpened("test.db", format))
  }

  /// A folder that is named through a link is the same place.
  @Test func aLinkedFolderIsNoCopy() throws {
    try make("app.db", .sqlcipher4)
    let link = url("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scratch.folder)
    #expect(try rekey("link/app.db", .sqlcipher4) == nil)
    #expect(try isOpened("app.db", .sqlcipher4))
  }
}
