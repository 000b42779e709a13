// These tests use Linux pseudo-terminals.
#if os(Linux)
  import Foundation
  import Testing

  /// In a delay after wrong passcodes, nobody is asked for one that would not be tried.
  @Suite struct DelayedPasscodeTests {
    private func question(afterWrongPasscodes count: Int) throws -> String {
      let (run, _) = try CommandRun.withPasscode()
      let wrong = try run.file("wrong", "let me out\n")
      for _ in 0..<count { _ = try run("list", "--passcode-file", wrong) }
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start("\(command) list </dev/null; echo end", run)
      let text = terminal.read(until: "Passcode:", "end")
      // A question is answered by Return, which ends the command.
      terminal.write("\n")
      process.waitUntilExit()
      return text
    }

    @Test func itSaysHowLong() throws {
      let text = try question(afterWrongPasscodes: 5)
      #expect(text.contains("the next attempt is allowed in"), "\(text)")
      #expect(!text.contains("Passcode:"), "\(text)")
    }

    /// Control: before the delay, it asks.
    @Test func itAsksBefore() throws {
      #expect(try question(afterWrongPasscodes: 1).contains("Passcode:"))
    }
  }
#endif
