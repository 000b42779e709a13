import Foundation
import Testing

/// `--staged` reads the index: what the next commit contains, and nothing else.
@Suite struct StagedTests {
  private func git(_ arguments: String..., in run: CommandRun) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "-C", run.folder.path, "-c", "user.name=A", "-c", "user.email=a@example.org"]
      + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func worksAtTheFirstCommit() throws {
    let run = try CommandRun()
    try git("init", in: run)
    #expect(try run("--staged").status == 0)
    try git("add", ".", in: run)
    #expect(try run("--staged").status == 1)
  }

  @Test func readsOnlyWhatIsStaged() throws {
    let run = try CommandRun(["Clean.swift": "let a = 1\n"])
    try git("init", in: run)
    try git("add", ".", in: run)
    // Neither an untracked file nor a change that is not staged is part of the commit.
    try run.write("Untracked.swift", CommandRun.bad)
    try run.write("Clean.swift", CommandRun.bad)
    #expect(try run("--staged").status == 0)
    try git("add", "Clean.swift", in: run)
    try run.write("Clean.swift", "let a = 1\n")
    let result = try run("--staged")
    #expect(result.status == 1)
    #expect(result.text.contains("UserDefaults.standard.set(password"))
  }

  @Test func reportsWhatTheCommitChanges() throws {
    let run = try CommandRun(["Old.swift": CommandRun.bad, "New.swift": "let a = 1\n"])
    try git("init", in: run)
    try git("add", ".", in: run)
    try git("commit", "-m", "first", in: run)
    try run.write("New.swift", "let a = 2\n")
    try git("add", ".", in: run)
    #expect(try run("--staged").status == 0)
    try run.write("Old.swift", CommandRun.bad + "let b = 1\n")
    try git("add", ".", in: run)
    #expect(try run("--staged").status == 1)
  }

  @Test func needsAWorkTreeAndNoOtherChoiceOfFiles() throws {
    let run = try CommandRun()
    #expect(try run("--staged").status == 2)
    #expect(try run("--staged", "--changed-since", "HEAD").status == 2)
    #expect(try run("--staged", "Store.swift").status == 2)
  }

  @Test func aLockFileWithoutAdvisoriesIsNotCalledClean() throws {
    let run = try CommandRun(["Cartfile.resolved": "github \"a/b\" \"1.0.0\"\n"])
    #expect(try run().text.contains("vulnerabilities of dependencies, which need --advisories"))
  }
}
