import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The folder with the key file goes away while a database is encrypted anew, as a disk that is unmounted. No key file
/// is made in its place, and the database keeps its key.
struct LostKeyFileTests {
  @Test func noOtherKeyFileIsMade() throws {
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
      let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
      try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(12000000) AS b") }
      try queue.close()
      let (draft, present, other) = (scratch.file.path + ".atrest-rekey", disk.path, away.path)
      let isOver = DispatchSemaphore(value: 0)
      let mover = Thread {
        while access(draft, F_OK) != 0, isOver.wait(timeout: .now()) == .timedOut { usleep(200) }
        rename(present, other)
        mkdir(present, 0o700)
        isOver.signal()
      }
      mover.start()
      let error: AtRestError?
      do {
        try EncryptedDatabase.rekey(at: scratch.file, key: key)
        error = nil
      } catch let refusal as AtRestError {
        error = refusal
      }
      isOver.signal()
      while access(other, F_OK) != 0 { usleep(200) }
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
      return
    }
    Issue.record("The folder never went in time")
  }
}
