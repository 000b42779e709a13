import Foundation
import Testing

/// A backup replaces an earlier backup, and nothing else.
@Suite struct BackupPlaceTests {
  private func backup(_ run: CommandRun, _ file: String) throws -> CommandRun.Result {
    let phrase = try run.file("phrase", "four purple rhinos cooking")
    return try run("backup", file, "--passphrase-file", phrase)
  }

  @Test func anotherFileIsKept() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("photo.jpeg", "a photograph")
    let refused = try backup(run, "photo.jpeg")
    #expect(refused.status == 1 && refused.notes.contains("photo.jpeg exists and is not a backup"))
    #expect(run.text("photo.jpeg") == "a photograph")
  }

  /// Nothing is asked before the place is known to be good, and the message has no name but those given.
  @Test func aFolderMustBeThere() throws {
    let run = try CommandRun.withStore()
    let refused = try run("backup", "none/b")
    #expect(refused.status == 3, "\(refused)")
    #expect(refused.notes.contains("There is no folder none."), "\(refused)")
    #expect(!refused.notes.contains(".new-"))
  }

  /// A folder that may not be entered is not one that is missing.
  @Test(.enabled(if: geteuid() != 0, "root enters every folder"))
  func aClosedFolderIsNotMissing() throws {
    let run = try CommandRun.withStore()
    let closed = run.folder.appendingPathComponent("closed").path
    try FileManager.default.createDirectory(
      atPath: closed + "/inner", withIntermediateDirectories: true)
    chmod(closed, 0)
    defer { chmod(closed, 0o700) }
    let refused = try run("backup", "closed/inner/b")
    #expect(refused.status == 5 && refused.notes.contains("closed/inner"), "\(refused)")
  }

  @Test func aSpecialFileIsKept() throws {
    let run = try CommandRun.withStore()
    mkfifo(run.folder.appendingPathComponent("pipe").path, 0o600)
    for place in ["pipe", "."] { #expect(try backup(run, place).status == 2) }
    var status = stat()
    #expect(stat(run.folder.appendingPathComponent("pipe").path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  /// Control: an earlier backup and an empty file are replaced.
  @Test func backupsAndEmptyFilesAreReplaced() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("b", "")
    #expect(try backup(run, "b").status == 0)
    let first = run.contents("b")
    #expect(try backup(run, "b").status == 0)
    #expect(run.contents("b") != first)
  }
}
