import Foundation
import Testing

@Suite struct BackupCommandTests {
  private static func backup(_ name: String) throws -> String {
    let folder = Bundle.module.url(forResource: "Fixtures/Backups/\(name)", withExtension: nil)
    return try #require(folder).path
  }

  @Test func listsFiles() throws {
    let run = try CommandRun([:])
    let result = try run("backup", "list", Self.backup("plain"))
    #expect(result.status == 0)
    let lines = result.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.contains {
        $0.hasPrefix("29\t") && $0.hasSuffix("\tAppDomain-org.example.bank/Documents/state.json")
      })
    #expect(result.notes.contains("Test phone, iPhone14,2, iOS 17.4: not encrypted, 3 entries."))
  }

  @Test func listsWhatIsSelectedAsJSON() throws {
    let run = try CommandRun([:])
    let result = try run(
      "backup", "list", Self.backup("plain"), "--json", "--domain", "org.example.bank", "--path",
      "Documents/")
    #expect(result.status == 0)
    #expect(result.json["path"] as? String == "Documents/state.json")
    #expect(result.json["size"] as? Int == 29)
    #expect(result.json["encrypted"] as? Bool == false)
  }

  @Test func extractsFiles() throws {
    let run = try CommandRun([:])
    let result = try run("backup", "extract", Self.backup("plain"), "--output", "out")
    #expect(result.status == 0)
    #expect(result.notes.contains("3 files"))
    let text = try run.read("out/AppDomain-org.example.bank/Documents/state.json")
    #expect(text == "{\"note\": \"\(ContainerCommandTests.canary)\"}")
    #expect(try run.read("out/HomeDomain/Library/readme.txt") == "A text.")
  }

  @Test func isSearchedLikeAContainer() throws {
    let run = try CommandRun([:])
    let result = try run(
      "container", "-f", "json", "--canary", ContainerCommandTests.canary,
      Self.backup("plain"))
    #expect(result.status == 1)
    let findings = result.json["findings"] as? [[String: Any]]
    let location = findings?.first?["location"] as? [String: Any]
    #expect(findings?.count == 1)
    #expect(
      location?["path"] as? String == "plain/AppDomain-org.example.bank/Documents/state.json")
  }

  @Test func refusesAWrongPassword() throws {
    let run = try CommandRun([:])
    try run.write("password.txt", "not the password\n")
    let result = try run(
      "backup", "list", Self.backup("encrypted"), "--password-file", "password.txt")
    #expect(result.status == 2)
    #expect(result.notes.contains("The password does not open the backup."))
    #expect(!result.notes.contains("not the password"))
    #expect(result.text.isEmpty)
  }

  @Test func refusesAnEmptyPasswordFile() throws {
    let run = try CommandRun(["password.txt": ""])
    let result = try run(
      "backup", "extract", Self.backup("encrypted"), "-o", "out", "--password-file", "password.txt")
    #expect(result.status == 2)
    #expect(result.notes.contains("The password file password.txt is empty."))
  }
}
