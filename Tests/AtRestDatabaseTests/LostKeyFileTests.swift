import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The folder with the key file goes away while a database is encrypted, as a disk that is unmounted. No key file is
/// made in its place, and the databases keep their keys.
struct LostKeyFileTests {
  enum Call: CaseIterable {
    case rekey, importing
  }

  @Test(arguments: Call.allCases) func noOtherKeyFileIsMade(call: Call) throws {
    // The folder may go too late, so it is tried again.
    for _ in 0..<20 {
      let scratch = try Scratch()
      let (disk, away) = (
        scratch.folder.appendingPathComponent("disk"), scratch.folder.appendingPathComponent("away")
      )
      try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
      let key = DatabaseKey.keyFile(
        disk.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
        kdf: .pbkdf2SHA512())
      let plain = scratch.folder.appendingPathComponent("plain.db")
      let imported = scratch.folder.appendingPathComponent("imported.db")
      let large = "CREATE TABLE t AS SELECT zeroblob(12000000) AS b"
      try DatabaseQueue(path: plain.path).write { try $0.execute(sql: large) }
      let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
      try queue.write { try $0.execute(sql: large) }
      try queue.close()
      let draft =
        call == .rekey ? scratch.file.path + ".atrest-rekey" : imported.path + ".atrest-new"
      let (present, other) = (disk.path, away.path)
      let isOver = DispatchSemaphore(value: 0)
      let mover = Thread {
        while access(draft, F_OK) != 0, isOver.wait(timeout: .now()) == .timedOut { usleep(200) }
        rename(present, other)
        mkdir(present, 0o700)
        isOver.signal()
      }
      mover.start()
      var error: AtRestError?
      do {
        switch call {
        case .rekey: try EncryptedDatabase.rekey(at: scratch.file, key: key)
        case .importing: try EncryptedDatabase.importPlaintext(from: plain, to: imported, key: key)
        }
      } catch let refusal as AtRestError {
        error = refusal
      }
      isOver.signal()
      while access(disk.path, F_OK) != 0 || access(other, F_OK) != 0 { usleep(200) }
      isOver.wait()
      let made = try FileManager.default.contentsOfDirectory(atPath: disk.path)
      try FileManager.default.removeItem(at: disk)
      try FileManager.default.moveItem(at: away, to: disk)
      #expect(made == [])
      let again = try EncryptedDatabase.openQueue(at: scratch.file, key: key)
      #expect(try again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
      try again.close()
      guard let error else { continue }
      #expect(error.code == .notFound)
      #expect(!FileManager.default.fileExists(atPath: imported.path))
      return
    }
    Issue.record("The folder never went in time")
  }
}
