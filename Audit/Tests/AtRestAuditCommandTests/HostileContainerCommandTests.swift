import Foundation
import Testing

@Suite struct HostileContainerCommandTests {
  @Test func namesOfTheContainerReachNoTerminalAsTheyAre() throws {
    let run = try CommandRun(["app/a\u{1B}[31m\n\u{9B}b": "text", "empty/c": ""])
    #expect(try run("snapshot", "app", "--output", "s.json").status == 0)
    let result = try run("diff", "s.json", "empty")
    #expect(result.status == 1)
    #expect(result.text.contains("- a\u{FFFD}[31m"))
    #expect(!result.text.unicodeScalars.contains { ["\u{1B}", "\u{9B}"].contains($0) })
  }

  @Test(arguments: ["backup", "backup/out", "other/../backup/out"])
  func aBackupIsNotWrittenInto(_ output: String) throws {
    let run = try CommandRun(["backup/HomeDomain/a": "text", "other/b": ""])
    let result = try run("backup", "extract", "backup", "--output", output)
    #expect(result.status == 2)
    #expect(result.notes.contains("backups are not altered"))
    #expect(try run("backup", "extract", "backup", "--output", "out").status == 0)
    #expect(try run.read("out/HomeDomain/a") == "text")
  }
}
