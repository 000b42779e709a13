import Foundation
import Testing

@Suite struct ScanTests {
  @Test func findsAndFails() throws {
    let run = try CommandRun()
    let result = try run()
    #expect(result.status == 1)
    #expect(result.text.contains("userdefaults-sensitive"))
    #expect(result.text.contains("UserDefaults.standard.set(password"))
    #expect(!result.text.contains("\u{1B}"))
    #expect(result.notes.isEmpty)
  }

  @Test func isCleanWithoutFindings() throws {
    let run = try CommandRun(["A.swift": "let a = 1\n"])
    let result = try run()
    #expect(result.status == 0)
    #expect(result.text.hasPrefix("Nothing found. All files could be read.\n\n1 file read"))
  }

  @Test func failsAtTheLimit() throws {
    let run = try CommandRun()
    #expect(try run("--fail-on", "never").status == 0)
    #expect(try run("--fail-on", "high").status == 1)
    #expect(try run("scan", "--fail-on", "high", ".").status == 1)
  }

  @Test func failsForWhatCouldNotBeReadIfStrict() throws {
    let run = try CommandRun(["A.swift": String(repeating: "x", count: (10 << 20) + 1)])
    let result = try run()
    #expect(result.status == 0)
    #expect(result.text.contains("A.swift: not read."))
    #expect(try run("--strict").status == 1)
  }

  @Test func tellsPathsFromTheCurrentFolder() throws {
    let run = try CommandRun(["App/A/Store.swift": CommandRun.bad, "App/B/B.swift": ""])
    for arguments in [".", "App", "App/A/Store.swift"] {
      let findings = try run("--format", "json", arguments).json["findings"] as? [[String: Any]]
      let location = findings?.first?["location"] as? [String: Any]
      #expect(location?["path"] as? String == "App/A/Store.swift", "\(arguments)")
    }
    #expect(try run("App/B").status == 0)
    // Outside the current folder, paths are relative to the audited folder.
    let result = try run("--format", "json", run.folder.path + "/App/A", in: "App/B")
    let findings = result.json["findings"] as? [[String: Any]]
    let location = findings?.first?["location"] as? [String: Any]
    #expect(location?["path"] as? String == "Store.swift")
  }

  @Test func readsVendoredCodeIfAsked() throws {
    let run = try CommandRun(["Pods/Store.swift": CommandRun.bad])
    let result = try run()
    #expect(result.status == 0)
    #expect(result.text.contains("third-party code (Pods/)"))
    #expect(try run("--include-vendored").status == 1)
  }

  @Test func usesOneRuleAlone() throws {
    let run = try CommandRun()
    #expect(try run("--rule", "userdefaults-sensitive").status == 1)
    let result = try run("--rule", "userdefault-sensitive")
    #expect(result.status == 2)
    #expect(result.notes.contains("Did you mean 'userdefaults-sensitive'?"))
  }

  @Test func explainsAFinding() throws {
    let run = try CommandRun()
    let result = try run("--explain", "1")
    #expect(result.status == 0)
    #expect(result.text.contains("Good"))
    #expect(try run("--explain", "99").status == 2)
    #expect(try run("--explain", "userdefaults-sensitive").text.contains("Good"))
  }
}
