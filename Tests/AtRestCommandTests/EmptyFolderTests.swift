import Foundation
import Testing

/// A command that found no file says so.
@Suite struct EmptyFolderTests {
  @Test(arguments: [
    ("protect", "no files to protect in empty"), ("unprotect", "no protected files in empty"),
    ("inspect", "no protected files in empty"),
  ])
  func itIsNamed(command: String, note: String) throws {
    let run = try CommandRun.withStore()
    try run.makeFolder("empty/sub")
    let done = try run(command, "empty")
    #expect(done.status == 0 && done.notes.contains(note), "\(done)")
    if command != "inspect" { #expect(try run(command, "--quiet", "empty").notes == "") }
    // Control: nothing is said of a folder with a file, and of a file that is not there only that.
    _ = try run.file("empty/sub/a", "1")
    #expect(try run("protect", "empty").notes == "")
    #expect(try !run("protect", "none").notes.contains("There are no"))
  }
}
