import Foundation
import Testing

@Suite struct ProtectRoundTripTests {
  @Test func aFileStandsBesideItsOriginal() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes.txt", "a plain word")
    let protected = try run("protect", "notes.txt")
    #expect(protected.status == 0)
    #expect(protected.text == "")
    #expect(protected.notes == "")
    #expect(run.text("notes.txt") == "a plain word")
    #expect(try run.mode("notes.txt.protected") == 0o600)
    #expect(run.contents("notes.txt.protected")?.range(of: Data("plain".utf8)) == nil)
    #expect(try run("unprotect", "notes.txt.protected").status == 1)
    #expect(try run("unprotect", "--force", "notes.txt.protected").status == 0)
    #expect(try run("unprotect", "-o", "copy", "notes.txt.protected").status == 0)
    #expect(run.text("copy") == "a plain word")
    #expect(try run.mode("copy") == 0o600)
  }

  /// The number of bytes: nothing, one, and more than a batch of chunks.
  @Test(arguments: [0, 1, 1_120_000])
  func pipes(byteCount: Int) throws {
    let text = String(String(repeating: "0123456789abcdef", count: 70_000).prefix(byteCount))
    let run = try CommandRun.withStore()
    let sealed = try run("protect", "-", input: text)
    #expect(sealed.status == 0)
    try sealed.data.write(to: run.folder.appendingPathComponent("sealed"))
    #expect(try run("unprotect", "-o", "-", "sealed").text == text)
    #expect(try run("protect", "-", "-o", "other", input: text).status == 0)
    #expect(try run("unprotect", "other", "-o", "-").text == text)
  }

  @Test func jsonHasALineForEachFile() throws {
    let run = try CommandRun.withStore()
    let done = try run("protect", "--json", run.file("a", "12345"), run.file("b", ""))
    let lines = try done.text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count == 2)
    #expect(lines[0]["read"] as? Int == 5)
    #expect(lines[0]["written"] as? Int == run.contents("a.protected")?.count)
    #expect((lines[1]["destination"] as? String)?.hasSuffix("b.protected") == true)
  }

  @Test func theOthersAreDoneAfterAFailure() throws {
    let run = try CommandRun.withStore()
    let done = try run("protect", "missing", run.file("a", "1"))
    #expect(done.status == 3)
    #expect(done.notes.contains("missing"))
    #expect(run.exists("a.protected"))
    #expect(try run("unprotect", "--force", "missing.protected", "a.protected").status == 3)
  }
}
