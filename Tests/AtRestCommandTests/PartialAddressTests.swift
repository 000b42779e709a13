import Foundation
import Testing

/// The parts of an address that are not named match any value, as long as one item alone is meant.
@Suite struct PartialAddressTests {
  private let run: CommandRun

  init() throws {
    run = try CommandRun.withStore()
    try add("https", "secret of https")
  }

  private func add(_ name: String, _ secret: String, _ more: String...) throws {
    let added = try run.run(
      ["add", "--server", "example.org", "--account", "eva", "--protocol", name] + more,
      input: secret)
    #expect(added.status == 0, "\(added.notes)")
  }

  private func item(_ command: String, _ options: String...) throws -> CommandRun.Result {
    try run.run([command, "--server", "example.org", "--account", "eva"] + options, input: nil)
  }

  @Test func theOnlyItemOfAServerIsFound() throws {
    #expect(try item("get").text == "secret of https")
    #expect(try item("update", "--label", "site").status == 0)
    #expect(try run("list", "--json").text.contains("\"site\""))
    #expect(try item("delete").status == 0)
    #expect(try item("get").status == 3)
  }

  @Test func severalItemsAreNotGuessedAt() throws {
    try add("ssh", "secret of ssh")
    for command in ["get", "delete"] {
      let refused = try item(command)
      #expect(refused.status == 2, "\(refused.notes)")
      #expect(refused.text == "")
      #expect(refused.notes.contains("--protocol"), "\(refused.notes)")
    }
    #expect(try item("get", "--protocol", "ssh").text == "secret of ssh")
  }

  @Test func whatIsNamedHasToBeEqual() throws {
    #expect(try item("get", "--protocol", "ssh").status == 3)
    try add("https", "secret of a port", "--port", "8443")
    #expect(try item("get", "--port", "8443").text == "secret of a port")
    #expect(try item("get", "--port", "443").status == 3)
  }

  /// An item of exactly these attributes comes first, as before.
  @Test func theExactItemComesFirst() throws {
    #expect(
      try run("add", "--server", "example.org", "--account", "eva", input: "secret of none").status
        == 0)
    #expect(try item("get").text == "secret of none")
  }

  /// A locked item is not missing.
  @Test func aLockedItemIsNotMissing() throws {
    let passcode = try run.file("passcode", "the first passcode")
    #expect(try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1").status == 0)
    #expect(try item("get", "--no-unlock").status == 4)
    #expect(try item("get", "--passcode-file", passcode).text == "secret of https")
    #expect(try item("delete", "--passcode-file", passcode).status == 0)
  }

  /// The item that can be read is not taken for the right one beside one that cannot be looked at.
  @Test func aReadableItemIsNotPreferred() throws {
    try add("ssh", "secret of ssh", "--accessible", "always-this-device-only")
    let passcode = try run.file("passcode", "the first passcode")
    #expect(
      try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1").status == 0)
    #expect(try item("get", "--no-unlock", "--protocol", "ssh").text == "secret of ssh")
    let refused = try item("get", "--no-unlock")
    #expect(refused.status == 4, "\(refused.notes)")
    #expect(refused.text == "")
  }

  /// Messages name protocols as options do.
  @Test func messagesNameTheProtocol() throws {
    let missing = try item("get", "--protocol", "imaps")
    #expect(missing.notes.contains("protocol imaps"), "\(missing.notes)")
  }
}
