import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The copy of a rekey is replaced by a link while it is checked, as by the owner of the folder beside a rekey of
/// root's. The file that the link names keeps its mode and its contents.
@Suite(.serialized) struct SwappedDraftTests {
  @Test func theOtherFileIsNotTouched() throws {
    // The link may come too late, so it is tried again.
    for attempt in 0..<20 {
      let scratch = try Scratch()
      let keyFile = scratch.folder.appendingPathComponent("app.key")
      let key = DatabaseKey.keyFile(
        keyFile, passphrase: SecretBytes(utf8: "wren"), kdf: .pbkdf2SHA512())
      let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
      try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(12000000) AS b") }
      try queue.close()
      #expect(chmod(scratch.file.path, 0o666) == 0)
      let victim = scratch.folder.appendingPathComponent("victim")
      try Data(count: 100_000).write(to: victim)
      #expect(chmod(victim.path, 0o600) == 0)
      let (draft, target, keys) = (scratch.file.path + ".atrest-rekey", victim.path, keyFile.path)
      let size = try Data(contentsOf: keyFile).count
      let isOver = DispatchSemaphore(value: 0)
      let swapper = Thread {
        defer { isOver.signal() }
        var status = stat()
        // The second record is stored when the copy is whole.
        while stat(keys, &status) != 0 || Int(status.st_size) == size {
          if isOver.wait(timeout: .now()) == .success { return }
          usleep(100)
        }
        usleep(UInt32(attempt) * 500)
        rename(draft, draft + ".away")
        symlink(target, draft)
      }
      swapper.start()
      let hasFailed: Bool
      do {
        try EncryptedDatabase.rekey(at: scratch.file, key: key)
        hasFailed = false
      } catch {
        hasFailed = true
      }
      isOver.signal()
      isOver.wait()
      var status = stat()
      #expect(lstat(victim.path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(status.st_size == 100_000)
      guard hasFailed else { continue }
      try EncryptedDatabase.openQueue(at: scratch.file, key: key).close()
      return
    }
    Issue.record("The link never came in time")
  }
}
