import Foundation
import Testing

@Suite struct LintTests {
  /// Returns the lines with findings in Swift code.
  private func lines(_ code: String) throws -> [Int] {
    let run = try CommandRun()
    _ = try run.file("code.swift", code)
    let result = try run("lint", "--json", "code.swift")
    let findings = try #require(
      JSONSerialization.jsonObject(with: result.data) as? [[String: Any]])
    #expect(result.status == (findings.isEmpty ? 0 : 1))
    return findings.compactMap { $0["line"] as? Int }
  }

  @Test(
    arguments: [
      "try data.write(to: url, options: .completeFileProtection)",
      "try data.write(to: url, options: [.atomic, .completeFileProtectionUnlessOpen])",
      "let options: Data.WritingOptions = .completeFileProtectionUntilFirstUserAuthentication",
      "let options = Data.WritingOptions.completeFileProtection",
      "try manager.setAttributes([.protectionKey: type], ofItemAtPath: path)",
      "let attributes = [FileAttributeKey.protectionKey: type]",
      "let type = FileProtectionType.complete",
      "print(\"\\(try data.write(to: url, options: .completeFileProtection))\")",
      "#if os(Linux)\ntry data.write(to: url, options: .completeFileProtection)\n#endif",
      "#if DEBUG\n#else\ntry data.write(to: url, options: .completeFileProtection)\n#endif",
      "#if !os(iOS) && (swift(>=6) || DEBUG)\n_ = FileProtectionType.none\n#endif",
      "import struct AtRestFoundation.Data\n_ = FileProtectionType.none",
    ])
  func whatFoundationIgnoresIsFound(code: String) throws {
    #expect(try lines("import Foundation\n" + code).count == 1)
  }

  @Test(
    arguments: [
      "import AtRestFoundation\ntry data.write(to: url, options: .completeFileProtection)",
      "try data.write(to: url, options: [.atomic, .noFileProtection])",
      "// try data.write(to: url, options: .completeFileProtection)",
      "/* /* nested */ FileProtectionType */",
      "let text = \"options: .completeFileProtection\"",
      "let text = #\"a \"quote\" \\(FileProtectionType.none)\"#",
      "let text = \"\"\"\n  \"FileProtectionType\"\n  \"\"\"",
      "let pattern = /\"/; let other = #/ FileProtectionType /#; let text = \"FileProtectionType\"",
      "let value = settings.protectionKey + self.completeFileProtection",
      "#if canImport(Darwin)\n_ = FileProtectionType.none\n#endif",
      "#if os(iOS) || os(macOS)\n_ = FileProtectionType.none\n#endif",
      "#if os(Linux)\n#else\n_ = FileProtectionType.none\n#endif",
      "#if canImport(UIKit)\n#if DEBUG\n_ = FileProtectionType.none\n#endif\n#endif",
      "#if canImport(Darwin)\nimport Foundation\n#else\nimport AtRestFoundation\n#endif\n"
        + "_ = FileProtectionType.none",
    ])
  func whatProtectsOrIsNoCodeIsNot(code: String) throws {
    #expect(try lines(code) == [])
  }

  @Test func callsOfProtectedFilesAreToldFromFoundations() throws {
    let code = """
      import AtRestFiles
      try files.write(data, to: url, options: .completeFileProtection)
      try data.write(to: url, options: .completeFileProtection)
      try files.createFile(atPath: path, attributes: [.protectionKey: FileProtectionType.complete])
      try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
      """
    #expect(try lines(code) == [3, 5])
  }

  @Test func theTextNamesPlaceAndRemedy() throws {
    let run = try CommandRun()
    _ = try run.file(
      "code.swift", "let é = 1\nlet ü = FileProtectionType.none; _ = FileProtectionType.none\n")
    let result = try run("lint", "code.swift")
    #expect(result.status == 1)
    #expect(result.text.hasPrefix("code.swift:2:10: "))
    #expect(result.text.split(separator: "\n").count == 1)
    #expect(result.notes.contains("AtRestFoundation"))
  }

  @Test func foldersAreWalkedForVisibleSwiftFiles() throws {
    let run = try CommandRun()
    let folder = run.folder.appendingPathComponent("a/.build")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["a/one.swift", "a/two.txt", "a/.build/three.swift"] {
      _ = try run.file(name, "_ = FileProtectionType.none")
    }
    let result = try run("lint", "a")
    #expect(result.text.split(separator: "\n").count == 1)
    #expect(result.text.hasPrefix("a/one.swift:1:5: "))
  }

  @Test func whatIsMissingIsTold() throws {
    let run = try CommandRun()
    _ = try run.file("clean.swift", "let a = 1")
    let result = try run("lint", "missing.swift", "clean.swift")
    #expect(result.status == 3)
    #expect(result.notes.contains("missing.swift"))
    #expect(try run("lint", "clean.swift").status == 0)
    #expect(try run("lint").status == 2)
  }

  @Test func codeThatDoesNotCompileIsRead() throws {
    for code in [
      "\"", "\"\\(", "\"\"\"", "/*", "#\"", "#/", "#if", "#else", "#endif", "#endif\n#if (((\n",
      "= /a",
      "\\", "#", "/", ")", String(repeating: "\"\\(", count: 50_000),
      "#if " + String(repeating: "!(", count: 50_000),
    ] {
      #expect(try lines(code) == [])
    }
  }
}
