import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Where plaintext is exported to: a new file with mode 0600, which nobody else can replace meanwhile.
struct ExportPlaceTests {
  private let scratch: Scratch
  private let folder: URL
  private var copy: URL { folder.appendingPathComponent("plain.db") }

  init() throws {
    scratch = try Scratch()
    folder = scratch.folder.appendingPathComponent("exports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let queue = try scratch.openQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    try queue.close()
  }

  private func export() throws {
    try EncryptedDatabase.exportPlaintext(
      from: scratch.file, key: Scratch.rawKey(), to: copy)
  }

  @Test(arguments: [0o777, 0o757] as [mode_t])
  func aFolderThatEverybodyWritesIsRefused(mode: mode_t) throws {
    #expect(chmod(folder.path, mode) == 0)
    let error = #expect(throws: AtRestError.self) { try export() }
    #expect(error?.code == .notPermitted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    // Control: with the sticky bit, only the owner of a file replaces it.
    #expect(chmod(folder.path, mode | 0o1000) == 0)
    try export()
  }

  /// Whoever can rename a folder can put another one in its place.
  @Test func aFolderBelowOneThatEverybodyWritesIsRefused() throws {
    #expect(chmod(scratch.folder.path, 0o777) == 0)
    let error = #expect(throws: AtRestError.self) { try export() }
    #expect(error?.code == .notPermitted)
    #expect(error?.message.contains(scratch.folder.lastPathComponent + ",") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(chmod(scratch.folder.path, 0o1777) == 0)
    try export()
  }

  /// The folder that a link names is judged, and used.
  @Test func aLinkToAFolderIsFollowed() throws {
    let link = scratch.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    func export() throws {
      try EncryptedDatabase.exportPlaintext(
        from: scratch.file, key: Scratch.rawKey(), to: link.appendingPathComponent("plain.db"))
    }
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(throws: AtRestError.self) { try export() }
    #expect(chmod(folder.path, 0o700) == 0)
    try export()
    #expect(FileManager.default.fileExists(atPath: copy.path))
  }

  /// Root may help a user, whose folder only the user writes.
  @Test(.enabled(if: geteuid() == 0)) func rootMayExportIntoAFolderOfAUser() throws {
    #expect(chown(folder.path, 1_234, 1_235) == 0)
    #expect(chmod(folder.path, 0o770) == 0)
    let error = #expect(throws: AtRestError.self) { try export() }
    #expect(error?.code == .notPermitted)
    #expect(chmod(folder.path, 0o700) == 0)
    try export()
  }

  /// What a killed export left has another name, and is removed by the next one.
  @Test func aKilledExportIsNotTakenForACopy() throws {
    let left = URL(fileURLWithPath: copy.path + ".atrest-new")
    try Data("a part".utf8).write(to: left)
    try Data("a journal".utf8).write(to: URL(fileURLWithPath: left.path + "-journal"))
    try export()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plain.db"])
    let queue = try DatabaseQueue(path: copy.path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
  }
}
