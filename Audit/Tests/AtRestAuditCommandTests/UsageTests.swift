import Foundation
import Testing

@Suite struct UsageTests {
  @Test(arguments: [
    ["--fal-on", "high"], ["--fail-on", "bad"], ["--format", "xml"], ["nowhere"],
    ["--output", "a", "--output", "b"], ["-f", "json", "-f", "html"],
    ["--baseline", "nowhere.json"], ["--config", "nowhere.yml"],
    ["--write-baseline", "a", "--update-baseline"], ["--update-baseline"],
    ["--changed-since", "nowhere"], ["--write-baseline", "a", "--rule", "userdefaults-sensitive"],
    ["--advisories", "nowhere"], ["rules", "show", "nothing"],
    ["--output", "no/such/folder/file"],
  ])
  func endsWithTwo(arguments: [String]) throws {
    let run = try CommandRun()
    let result = try run.run(arguments)
    #expect(result.status == 2)
    #expect(!result.notes.isEmpty)
    #expect(result.text.isEmpty)
  }

  @Test func tellsItsVersionAndHelp() throws {
    let run = try CommandRun()
    let version = try run("--version")
    #expect(version.status == 0)
    #expect(version.text.split(separator: ".").count == 3)
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.text.contains("EXIT CODES"))
  }

  @Test func showsTheLineOfTheSettings() throws {
    let run = try CommandRun([".atrest-audit.yml": "strict: true\nrule:\n  a: off\n"])
    let result = try run()
    #expect(result.status == 2)
    #expect(
      result.notes.hasPrefix(
        """
        atrest-audit: .atrest-audit.yml:2:1: Unknown key 'rule'. Did you mean 'rules'?
         2 | rule:
           | ^
        """))
  }

  @Test func takesSettings() throws {
    let run = try CommandRun()
    try run.write(".atrest-audit.yml", "rules: {userdefaults-sensitive: off}\n")
    #expect(try run().status == 0)
    try run.write("other.yml", "fail-on: never\n")
    #expect(try run("--config", "other.yml").text.contains("userdefaults-sensitive"))
    #expect(try run("--config", "other.yml").status == 0)
    #expect(try run("--config", "other.yml", "--fail-on", "low").status == 1)
  }

  @Test func writesSettings() throws {
    let run = try CommandRun()
    #expect(try run("init").status == 0)
    #expect(try run().status == 1)
    #expect(try run("init").status == 2)
  }

  @Test func listsRules() throws {
    let run = try CommandRun()
    #expect(try run("rules").text.contains("userdefaults-sensitive"))
    #expect(try run("rules", "--json").json["rules"] != nil)
    #expect(try run("rules", "show", "userdefaults-sensitive").text.contains("MSTG-STORAGE-"))
    #expect(try run("rules", "show", "userdefaults-sensitive", "--json").json["rules"] != nil)
  }

  @Test func asksWhatNoProgramCanJudge() throws {
    let run = try CommandRun([
      ".atrest-audit.yml": "checklist:\n  official-distribution: On the web site.\n"
    ])
    let text = try run("checklist").text
    #expect(text.contains("Answer: On the web site."))
    #expect(text.contains("Not answered."))
    #expect((try run("checklist", "--json").json["checklist"] as? [Any])?.isEmpty == false)
  }

  @Test func isDescribedInTheManual() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let file = root.appendingPathComponent("Man/atrest-audit.1")
    let manual = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let help = try CommandRun()("scan", "--help").text
    let options = help.split { " ,\n".contains($0) }.filter { $0.hasPrefix("--") }
    #expect(options.count > 15)
    for option in options where !["--version", "--help"].contains(option) {
      #expect(manual.contains("-" + option.dropFirst(2)), "\(option)")
    }
  }
}
