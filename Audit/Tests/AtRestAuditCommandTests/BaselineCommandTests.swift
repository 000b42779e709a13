import Foundation
import Testing

@Suite struct BaselineCommandTests {
  /// A baseline quotes what was found.
  @Test func isNoPartOfTheProject() throws {
    let run = try CommandRun()
    #expect(try run("--write-baseline", "known.json").status == 0)
    let report = try run("--baseline", "known.json", "-f", "json").text
    #expect(report.contains("\"path\": \"known.json\"") && report.contains("\"excluded\""))
    #expect(try !run("-f", "json").text.contains("\"excluded\""))
  }

  @Test func leavesOutWhatIsKnown() throws {
    let run = try CommandRun()
    #expect(try run("--write-baseline", "known.json").status == 0)
    let result = try run("--baseline", "known.json")
    #expect(result.status == 0)
    #expect(result.text.contains("Known from the baseline: "))
    try run.write("New.swift", CommandRun.bad)
    #expect(try run("--baseline", "known.json").status == 1)
  }

  @Test func takesItFromTheSettings() throws {
    let run = try CommandRun()
    #expect(try run("--write-baseline", "known.json").status == 0)
    try run.write(".atrest-audit.yml", "baseline: known.json\n")
    #expect(try run().status == 0)
  }

  @Test func dropsWhatIsMended() throws {
    let run = try CommandRun()
    #expect(try run("--write-baseline", "known.json").status == 0)
    try run.write("Store.swift", "let a = 1\n")
    #expect(try run("--baseline", "known.json").text.contains("Fixed since the baseline: "))
    #expect(try run("--baseline", "known.json", "--update-baseline").status == 0)
    #expect(!(try run("--baseline", "known.json").text.contains("Fixed")))
    #expect(try run.read("known.json").contains("\"findings\": []"))
  }

  @Test func letsACommentStand() throws {
    let run = try CommandRun([
      "Store.swift": CommandRun.bad.replacingOccurrences(
        of: "  UserDefaults",
        with: "  // atrest:ignore userdefaults-sensitive a demo\n  UserDefaults")
    ])
    let result = try run("--rule", "userdefaults-sensitive")
    #expect(result.status == 0)
    #expect(result.text.contains("Suppressed by comments: 1."))
  }

  @Test func keepsToWhatChanged() throws {
    let run = try CommandRun()
    for arguments in [
      ["init", "-q"], ["add", "-A"],
      ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "first"],
    ] {
      let git = Process()
      git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      git.arguments = ["git", "-C", run.folder.path] + arguments
      try git.run()
      git.waitUntilExit()
      #expect(git.terminationStatus == 0)
    }
    #expect(try run("--changed-since", "HEAD").status == 0)
    try run.write("New.swift", CommandRun.bad)
    let result = try run("--changed-since", "HEAD")
    #expect(result.status == 1)
    #expect(result.text.contains("New.swift"))
    #expect(!result.text.contains("Store.swift"))
  }
}
