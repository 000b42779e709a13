import Foundation
import Testing

@Suite struct ProtectRemovalTests {
  @Test func theOriginalGoesWhenItsResultIsThere() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("a", "1")
    _ = try run.file("b", "2")
    _ = try run.file("b.protected", "in the way")
    #expect(try run("protect", "--remove", "a", "b").status == 1)
    #expect(!run.exists("a"))
    #expect(run.text("b") == "2")
    #expect(run.text("b.protected") == "in the way")
    #expect(try run("unprotect", "--remove", "a.protected").status == 0)
    #expect(run.text("a") == "1")
    #expect(!run.exists("a.protected"))
  }

  @Test func aFileThatDoesNotOpenStays() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("a", "1")
    _ = try run("protect", "--remove", "a")
    try run.copy("a.protected", to: "a.protected", flipping: -1)
    #expect(try run("unprotect", "--remove", "a.protected").status == 6)
    #expect(run.exists("a.protected"))
    #expect(!run.exists("a"))
  }

  @Test func anotherNameIsTold() throws {
    let run = try CommandRun.withStore()
    let path = try run.file("a", "1")
    try FileManager.default.linkItem(atPath: path, toPath: "\(path)-too")
    #expect(try run("protect", "--remove", "a").notes.contains("another hard link"))
    #expect(run.text("a-too") == "1")
    #expect(try run("protect", "--remove", "a-too").notes == "")
  }

  @Test func aLinkIsNotTakenForItsFile() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("a", "1")
    let link = run.folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
    #expect(try run("protect", "--remove", "link").status == 2)
    #expect(run.text("link") == "1")
    // The result may be a link to the original.
    let back = run.folder.appendingPathComponent("a.protected").path
    try FileManager.default.createSymbolicLink(atPath: back, withDestinationPath: "a")
    #expect(try run("protect", "--remove", "--force", "a").status == 2)
    #expect(try run("protect", "--force", "-o", "a", "a").status == 2)
    #expect(run.text("a") == "1")
  }
}
