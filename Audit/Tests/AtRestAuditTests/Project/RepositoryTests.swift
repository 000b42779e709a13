import AtRestAudit
import Foundation
import Testing

/// Links to the audited code on the web, read from git's own files.
@Suite struct RepositoryTests {
  private static let commit = String(repeating: "1a", count: 20)
  private let place = Sample.location("Sources/Log in.swift", 3, 1, 5, 2)

  @Test(arguments: [
    ("https://github.com/o/r.git", "https://github.com/o/r/blob/", "#L3-L5"),
    ("https://bob:hunter2@github.com/o/r", "https://github.com/o/r/blob/", "#L3-L5"),
    ("git@github.com:o/r.git", "https://github.com/o/r/blob/", "#L3-L5"),
    ("ssh://git@gitlab.com:22/o/group/r.git", "https://gitlab.com/o/group/r/-/blob/", "#L3-5"),
    ("git@bitbucket.org:o/r.git", "https://bitbucket.org/o/r/src/", "#lines-3:5"),
    ("https://codeberg.org/o/r/", "https://codeberg.org/o/r/src/commit/", "#L3-L5"),
    ("https://gitlab.example.org/o/r.git", "https://gitlab.example.org/o/r/-/blob/", "#L3-5"),
  ])
  func linksToLines(remote: String, start: String, end: String) throws {
    let repository = try #require(
      Repository(remote: remote, commit: Self.commit, folder: "App"))
    #expect(
      repository.link(to: place) == start + Self.commit + "/App/Sources/Log%20in.swift" + end)
    #expect(!"\(repository)".contains("hunter2"))
  }

  @Test(arguments: [
    "https://example.org/o/r.git", "/srv/git/r.git", "../r", "file:///srv/r", "C:\\code\\r",
    "https://github.com/o", "https://github.com/o/r\"><script>", "javascript://github.com/o/r",
    "https://github.com/../r", "",
  ])
  func knowsNoLink(remote: String) {
    #expect(Repository(remote: remote, commit: Self.commit) == nil)
  }

  @Test func needsACommit() {
    #expect(Repository(remote: "https://github.com/o/r", commit: "main") == nil)
  }

  private static let config = """
    [core]
    \tbare = false
    [remote "origin"]
    \turl = https://bob:hunter2@github.com/o/r.git
    [remote "fork"]
    \turl = git@codeberg.org:eva/r.git
    [branch "work"]
    \tremote = fork
    """

  private func report(_ files: [String: String], in folder: String = "") throws -> AuditReport {
    let test = try TestFolder(files.merging(["App/A.swift": "let a = 1\n"]) { $1 })
    return try Audit(tree: SourceTree(folder: test.path + folder)).run()
  }

  @Test func readsTheBranchAndItsRemote() throws {
    let main = try report([
      ".git/HEAD": "ref: refs/heads/main\n", ".git/config": Self.config,
      ".git/refs/heads/main": Self.commit + "\n",
    ])
    #expect(main.repository == Repository(remote: "git@github.com:o/r", commit: Self.commit))
    let work = try report(
      [
        ".git/HEAD": "ref: refs/heads/work\n", ".git/config": Self.config,
        ".git/packed-refs": "# pack-refs\n\(Self.commit) refs/heads/work\n",
      ], in: "/App")
    #expect(
      work.repository
        == Repository(remote: "git@codeberg.org:eva/r", commit: Self.commit, folder: "App"))
    let detached = try report([".git/HEAD": Self.commit, ".git/config": Self.config])
    #expect(detached.repository?.address == "https://github.com/o/r")
  }

  @Test func readsAFurtherWorkTree() throws {
    let report = try report(
      [
        "Tree/.git": "gitdir: ../Main/.git/worktrees/Tree\n", "Tree/A.swift": "let a = 1\n",
        "Main/.git/worktrees/Tree/HEAD": "ref: refs/heads/side\n",
        "Main/.git/worktrees/Tree/commondir": "../..\n",
        "Main/.git/config": Self.config, "Main/.git/refs/heads/side": Self.commit,
      ], in: "/Tree")
    #expect(report.repository == Repository(remote: "git@github.com:o/r", commit: Self.commit))
  }

  @Test func knowsNoRepository() throws {
    #expect(try report([".git/HEAD": "ref: refs/heads/main\n"]).repository == nil)
    #expect(try report([".git": "gitdir: /nowhere\n"]).repository == nil)
    #expect(
      try report([".git/HEAD": "ref: refs/../../x\n", ".git/config": Self.config]).repository
        == nil)
  }

  @Test func isInThePageAndTheComment() {
    var report = Sample.report()
    report.repository = Repository(
      remote: "https://bob:hunter2@github.com/o/r", commit: Self.commit)
    let link = "https://github.com/o/r/blob/\(Self.commit)/Sources/Log%20in.swift#L4"
    let page = HTMLReport().text(of: report, rules: Sample.rules)
    #expect(page.contains("<a href=\"\(link)\""))
    let comment = MarkdownReport().text(of: report, rules: Sample.rules)
    #expect(comment.contains("<a href=\"\(link)\">"))
    let sarif = SARIFReport().text(of: report, rules: Sample.rules)
    #expect(sarif.contains("\"repositoryUri\": \"https://github.com/o/r\""))
    #expect(!(page + comment + sarif).contains("hunter2"))
    report.repository = nil
    #expect(!HTMLReport().text(of: report, rules: Sample.rules).contains("github.com/o/r"))
  }
}
