import Foundation
import Testing

/// A file that was removed while a descriptor of it is open can be read by the descriptor's path.
@Suite struct NamelessFileTests {
  @Test func theFileOfADescriptorIsReadAfterItsNameIsGone() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "the contents")
    #expect(try run("protect", "plain").status == 0)
    // A file with the name that the link of the descriptor shows.
    _ = try run.file("plain.protected (deleted)", "another file")
    let program = try CommandRun.binary().path
    let script = "exec 4<plain.protected; rm plain.protected; '\(program)' unprotect -o - /dev/fd/4"
    let result = try run.execute("/bin/sh", ["-c", script])
    #expect(result.status == 0, "\(result.notes)")
    #expect(result.text == "the contents")
  }

  /// Control: a link that leads to no file is *not found*, and nothing is created through it.
  @Test func aLinkThatLeadsNowhereIsNotFound() throws {
    let run = try CommandRun.withStore()
    try FileManager.default.createSymbolicLink(
      atPath: run.folder.appendingPathComponent("link").path, withDestinationPath: "missing")
    #expect(try run("unprotect", "-o", "-", "link").status == 3)
    #expect(!run.exists("missing"))
  }
}
