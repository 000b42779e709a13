import Foundation
import Testing

/// Removing the passcode says which items are lost, and asks.
@Suite struct PasscodeRemovalTests {
  /// Creates a store with a passcode, one item that stays, and items for when a passcode is set.
  private func store(_ lost: [String]) throws -> (run: CommandRun, passcode: String) {
    let (run, passcode) = try CommandRun.withPasscode()
    func add(_ account: String, _ options: String...) throws {
      let all = ["add", "--service", "bank", "--account", account, "--passcode-file", passcode]
      #expect(try run.run(all + options, input: "x").status == 0)
    }
    try add("stays")
    for account in lost {
      try add(account, "--accessible", "when-passcode-set-this-device-only")
    }
    return (run, passcode)
  }

  @Test func withoutATerminalItNeedsYes() throws {
    let (run, passcode) = try store(["eva", "adam"])
    let refused = try run("passcode", "remove", "--passcode-file", passcode)
    #expect(refused.status == 2 && refused.notes.contains("--yes"))
    #expect(refused.notes.contains("2 items for when a passcode is set"))
    #expect(refused.notes.contains("account eva, service bank"))
    #expect(refused.notes.contains("account adam, service bank"))
    #expect(!refused.notes.contains("stays"))
    // Nothing was removed.
    #expect(try run("status", "--json").json["hasPasscode"] as? Bool == true)
    #expect(
      try run("get", "--service", "bank", "--account", "eva", "--passcode-file", passcode).text
        == "x")
    let removed = try run("passcode", "remove", "--yes", "--passcode-file", passcode)
    #expect(removed.status == 0)
    #expect(removed.notes.contains("the passcode was removed, and 2 items with it"))
    #expect(try run("status", "--json").json["items"] as? Int == 1)
    #expect(try run("get", "--service", "bank", "--account", "stays").text == "x")
  }

  @Test func anItemThatNeedsItsUserIsCountedAndNotNamed() throws {
    let (run, passcode) = try store([])
    #expect(
      try run(
        "add", "--service", "secret-name", "--account", "eva", "--access", "passcode",
        "--accessible", "when-passcode-set-this-device-only", "--passcode-file", passcode,
        input: "x"
      ).status == 0)
    let refused = try run("passcode", "remove", "--passcode-file", passcode)
    #expect(refused.status == 2)
    #expect(refused.notes.contains("1 item for when a passcode is set"))
    #expect(refused.notes.contains("1 whose names cannot be read now"))
    #expect(!refused.notes.contains("secret-name"))
  }

  /// Control: a passcode whose removal loses nothing is removed without a question.
  @Test func withoutSuchItemsNothingIsAsked() throws {
    let (run, passcode) = try store([])
    let removed = try run("passcode", "remove", "--passcode-file", passcode)
    #expect(removed.status == 0 && removed.notes.contains("the passcode was removed."))
    #expect(!removed.notes.contains("1 item"))
  }

  @Test func aWrongPasscodeNamesNothing() throws {
    let (run, _) = try store(["eva"])
    let wrong = try run.file("wrong", "let me out\n")
    let refused = try run("passcode", "remove", "--yes", "--passcode-file", wrong)
    #expect(refused.status == 5 && !refused.notes.contains("eva"))
  }

  #if os(Linux)
    @Test(arguments: [("remove", 0), ("yes", 5)])
    func onATerminalTheWordIsAskedFor(_ answer: String, _ status: Int32) throws {
      let (run, passcode) = try store(["eva"])
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start(
        "\(command) passcode remove --passcode-file \(CommandRun.quoted(passcode))", run)
      let question = terminal.read(until: "to continue")
      #expect(question.contains("account eva, service bank"))
      terminal.write("\(answer)\n")
      process.waitUntilExit()
      #expect(process.terminationStatus == status)
      let hasPasscode = try run("status", "--json").json["hasPasscode"] as? Bool
      #expect(hasPasscode == (status != 0))
    }
  #endif
}
