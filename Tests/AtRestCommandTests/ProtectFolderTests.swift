import Foundation
import Testing

@Suite struct ProtectFolderTests {
  @Test func regularFilesOnly() throws {
    let run = try CommandRun.withStore()
    try run.makeFolder("f/sub")
    _ = try run.file("f/a", "1")
    _ = try run.file("f/sub/b", "2")
    let link = run.folder.appendingPathComponent("f/link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
    mkfifo(run.folder.appendingPathComponent("f/pipe").path, 0o600)
    #expect(try run("protect", "f/a").status == 0)
    let done = try run("protect", "--force", "f")
    #expect(done.status == 0)
    #expect(done.notes.contains("link is a symbolic link"))
    #expect(done.notes.contains("pipe is a special file"))
    #expect(done.notes.contains("a.protected is already protected"))
    #expect(try run.names("f") == ["a", "a.protected", "link", "pipe", "sub"])
    #expect(try run.names("f/sub") == ["b", "b.protected"])
    #expect(try run("protect", "--force", "--quiet", "f").notes == "")
  }

  @Test func thereAndBack() throws {
    let run = try CommandRun.withStore()
    try run.makeFolder("f/sub")
    _ = try run.file("f/a", "1")
    _ = try run.file("f/sub/b", "2")
    #expect(try run("protect", "--remove", "f").status == 0)
    #expect(try run.names("f") == ["a.protected", "sub"])
    #expect(try run("unprotect", "--remove", "f").status == 0)
    #expect(try run.names("f") == ["a", "sub"])
    #expect(run.text("f/sub/b") == "2")
  }

  @Test func theStoreIsLeftAlone() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("a", "1")
    #expect(try run("protect", "store/keybag").status == 2)
    let done = try run("protect", "--class", "none", ".")
    #expect(done.notes.contains("store is part of the store"))
    #expect(done.notes.contains("device is part of the store"))
    #expect(run.exists("a.protected"))
    #expect(try run("status").status == 0)
  }

  /// A tree without an end would use up the stack, or take forever.
  @Test func aFolderThatIsTooDeepIsNamedAndTheRestIsDone() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("a", "1")
    try run.makeFolder("f/" + Array(repeating: "d", count: 300).joined(separator: "/"))
    _ = try run.file("f/d/b", "2")
    _ = try run.file("f/" + Array(repeating: "d", count: 300).joined(separator: "/") + "/c", "3")
    let done = try run("protect", "f", "a")
    #expect(done.status != 0)
    #expect(done.notes.contains("more than 256 levels below"))
    #expect(run.exists("f/d/b.protected") && run.exists("a.protected"))
  }
}
