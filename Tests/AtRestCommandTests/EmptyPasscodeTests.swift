// These tests use Linux pseudo-terminals.
#if os(Linux)
  import Foundation
  import Testing

  /// Return alone at the question for the passcode ends the command, and is no attempt.
  @Suite struct EmptyPasscodeTests {
    private func attempts(after answer: String) throws -> (text: String, status: Int32, wrong: Int?)
    {
      let (run, _) = try CommandRun.withPasscode()
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start("\(command) list; echo end", run)
      _ = terminal.read(until: "Passcode")
      terminal.write("\(answer)\n")
      let text = terminal.read(until: "end")
      process.waitUntilExit()
      let wrong = try run("status", "--json").json["failedAttempts"] as? Int
      return (text, process.terminationStatus, wrong)
    }

    @Test func itIsNoAttempt() throws {
      let result = try attempts(after: "")
      #expect(result.text.contains("No passcode was typed."))
      #expect(result.wrong == 0)
    }

    @Test(arguments: ["", "\n"]) func anEmptyFileIsNone(_ text: String) throws {
      let (run, _) = try CommandRun.withPasscode()
      let result = try run("list", "--passcode-file", try run.file("empty", text))
      #expect(result.status == 2 && result.notes.contains("has no passcode"), "\(result.notes)")
      #expect(try run("status", "--json").json["failedAttempts"] as? Int == 0)
    }

    /// Control: a wrong one counts.
    @Test func aWrongOneIs() throws {
      let result = try attempts(after: "let me out")
      #expect(result.text.contains("wrong"))
      #expect(result.wrong == 1)
    }
  }
#endif
