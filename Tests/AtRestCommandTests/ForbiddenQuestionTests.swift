// These tests use Linux pseudo-terminals.
#if os(Linux)
  import Foundation
  import Testing

  /// git-credential-atrest asks nothing on a terminal if git was told to ask nothing.
  @Suite struct ForbiddenQuestionTests {
    /// Runs the helper on a terminal, with a store that is locked, until one of two texts is shown.
    private func answer(_ variables: String, until text: String) throws -> String {
      let run = try CommandRun.withStore()
      let passcode = try run.file("passcode", "the first passcode")
      #expect(
        try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1").status == 0)
      let request = try run.file("request", "protocol=https\nhost=example.org\n\n")
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start(
        "\(variables) \(command) credential git get <\(request); echo status=$?", run)
      let shown = terminal.read(until: "status=", text)
      if !shown.contains("status=") {
        // Nothing typed ends the question.
        terminal.write("\n")
        _ = terminal.read(until: "status=")
      }
      process.waitUntilExit()
      return shown
    }

    @Test(arguments: ["0", "false", "No"]) func nothingIsAsked(_ value: String) throws {
      let shown = try answer("GIT_TERMINAL_PROMPT=\(value)", until: "Passcode:")
      #expect(shown.contains("quit=1"), "\(shown)")
      #expect(shown.contains("locked"), "\(shown)")
      #expect(!shown.contains("Passcode:"), "\(shown)")
    }

    /// Control: without the variable, or with another value, the passcode is asked for.
    @Test(arguments: ["", "GIT_TERMINAL_PROMPT=1"])
    func otherwiseThePasscodeIsAskedFor(_ variables: String) throws {
      #expect(
        try answer("env -u GIT_TERMINAL_PROMPT \(variables)", until: "Passcode:").contains(
          "Passcode:"))
    }
  }
#endif
