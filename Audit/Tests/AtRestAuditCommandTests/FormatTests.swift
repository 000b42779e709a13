import Foundation
import Testing

@Suite struct FormatTests {
  @Test(arguments: ["json", "sarif", "gitlab"])
  func writesJSON(format: String) throws {
    let run = try CommandRun()
    let result = try run("-f", format)
    #expect(result.status == 1)
    #expect(result.json["version"] != nil)
  }

  @Test(arguments: [
    ("junit", "<?xml"), ("markdown", "### AtRest"), ("html", "<!DOCTYPE html>"),
    ("masvs", "# MASVS report"),
  ])
  func writesText(format: String, beginning: String) throws {
    let run = try CommandRun()
    #expect(try run("--format", format).text.hasPrefix(beginning))
  }

  @Test func writesSeveralAtOnce() throws {
    let run = try CommandRun()
    let result = try run(
      "-f", "sarif", "-o", "a.sarif", "-f", "html", "-o", "a.html", "-f", "terminal")
    #expect(result.status == 1)
    #expect(result.text.contains("userdefaults-sensitive"))
    #expect(try run.read("a.sarif").contains("\"2.1.0\""))
    #expect(try run.read("a.html").hasPrefix("<!DOCTYPE html>"))
  }

  @Test func isSilentWithoutFindingsIfQuiet() throws {
    let run = try CommandRun(["A.swift": "let a = 1\n"])
    #expect(try run("--quiet").text.isEmpty)
  }

  @Test func saysOnTheSideWhatWasNotRead() throws {
    let run = try CommandRun(["A.swift": String(repeating: "x", count: (10 << 20) + 1)])
    #expect(try run("-f", "junit").notes.contains("could not be read"))
  }
}
