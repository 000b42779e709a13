import Foundation
import Testing

@Suite struct SearchTests {
  private func store() throws -> CommandRun {
    let run = try CommandRun.withStore()
    _ = try run(
      "add", "--service", "mail.example.org", "--account", "eva", "--label", "Évas Post",
      "--comment", "since 2024", input: "first secret")
    _ = try run(
      "add", "--service", "bank", "--account", "eva", "--group", "money", input: "second secret")
    _ = try run("add", "--server", "example.org", "--account", "adam", input: "third secret")
    return run
  }

  private func found(_ run: CommandRun, _ arguments: String...) throws -> [String] {
    let found = try run.run(["search", "--json"] + arguments, input: nil)
    #expect(found.status == 0, "\(arguments): \(found.notes)")
    #expect(!found.text.contains("secret"))
    let items = try #require(found.json["items"] as? [[String: Any]])
    return items.map { ($0["service"] ?? $0["server"]) as? String ?? "" }.sorted()
  }

  @Test func anyPartOfAnyAttributeFindsAnItem() throws {
    let run = try store()
    #expect(try found(run, "EXAMPLE") == ["example.org", "mail.example.org"])
    #expect(try found(run, "eva") == ["bank", "mail.example.org"])
    #expect(try found(run, "evas post") == ["mail.example.org"])
    #expect(try found(run, "2024") == ["mail.example.org"])
    // All texts have to be there.
    #expect(try found(run, "eva", "bank") == ["bank"])
    #expect(try found(run, "eva", "--group", "money") == ["bank"])
  }

  @Test func oneAttributeIsNamed() throws {
    let run = try store()
    #expect(try found(run, "account=ADA") == ["example.org"])
    #expect(try found(run, "server=example") == ["example.org"])
    #expect(try run("search", "label=bank").status == 3)
  }

  @Test func theTableIsThatOfList() throws {
    let run = try store()
    let lines = try run("search", "bank").text.split(separator: "\n")
    let listed = try run("list").text.split(separator: "\n")
    #expect(lines.count == 2 && listed.count == 4)
    #expect(lines[1].contains("bank") && lines[1].contains("money"))
  }

  @Test func secretsAreNotSearched() throws {
    let run = try store()
    let found = try run("search", "first secret")
    #expect(found.status == 3 && found.text.isEmpty)
    #expect(found.notes.contains("No item has these attributes"), "\(found.notes)")
    #expect(try run("search", "").status == 2)
    #expect(try run("search").status == 2)
  }

  /// An item that cannot be read may be the one, so it is never *not found*.
  @Test func aLockedItemIsNotMissing() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "correct horse battery")
    #expect(try run("init", "--passcode-file", passcode).status == 0)
    #expect(
      try run(
        "add", "--service", "mail", "--account", "eva", "--passcode-file", passcode, input: "x"
      ).status == 0)
    let locked = try run("search", "--no-unlock", "mail")
    #expect(locked.status == 4, "\(locked.notes)")
    #expect(try run("search", "--passcode-file", passcode, "mail").status == 0)
  }
}
