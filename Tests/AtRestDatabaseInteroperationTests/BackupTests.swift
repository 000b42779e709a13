import Foundation
import Testing

/// SQLite's backup API copies pages without their cipher. A copy never damages an encrypted database,
/// and one from plaintext is refused or complete.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct BackupTests {
  @Test(arguments: [Implementation.atRest, .sqlcipher], [1024, 4096, 8192])
  func aCopyFromPlaintextIsRefusedOrComplete(_ target: Implementation, pageSize: Int) throws {
    for mode in ["delete", "wal"] {
      let folder = try DatabaseFolder()
      let plain = folder.url.appendingPathComponent("plain.db")
      try Self.makePlaintext(plain, pageSize: pageSize)
      let program = try DatabaseProgram(target, opening: folder.database)
      try program.run("PRAGMA journal_mode = \(mode)")
      try program.run(Ledger.creation)
      let isRefused = Self.isRefused { try program.copy(from: plain) }
      try? program.close()
      let reader = try DatabaseProgram(.sqlcipher, opening: folder.database)
      #expect(try reader.value("PRAGMA integrity_check") == "ok")
      if isRefused {
        #expect(try Ledger.checkedNumber(reader) == 0)
      } else {
        #expect(try reader.value("SELECT text FROM plain") == "walrus")
      }
      #expect(
        try Data(contentsOf: folder.database).range(of: Data("walrus".utf8)) == nil, "\(mode)")
    }
  }

  private static func isRefused(_ body: () throws -> Void) -> Bool {
    do { try body() } catch { return true }
    return false
  }

  private static func makePlaintext(_ url: URL, pageSize: Int) throws {
    let program = try DatabaseProgram(.sqlcipher)
    try program.open(url, DatabaseLayout(isPlaintext: true))
    try program.run("PRAGMA page_size = \(pageSize)")
    try program.run("CREATE TABLE plain AS SELECT 'walrus' AS text")
    try program.close()
  }
}
