import Foundation
import Testing

/// Log messages of the libraries are shown only to users who request them.
@Suite struct LogTests {
  private func setPasscode(level: String?) throws -> CommandRun.Result {
    let run = try CommandRun.withStore()
    let passcode = try run.file("passcode", "the first passcode")
    _ = try run("add", "--service", "s", "--account", "a", input: "x")
    return try run.run(
      ["passcode", "set", "--passcode-file", passcode, "--kdf-time", "1"], input: nil,
      with: ["ATREST_LOG": level ?? ""])
  }

  @Test func noticesAreSilent() throws {
    let result = try setPasscode(level: nil)
    #expect(result.status == 0)
    // A line before it may say that the machine is too slow for the target time.
    #expect(
      result.notes.hasSuffix(
        """
        atrest: the passcode was set.
          Programs that use this store are refused until it is unlocked for them. Run atrest-agent, or
          unlock the store in the program.
          Earlier backups do not open files that are protected from now on. Make a new backup.

        """))
    #expect(!result.notes.contains("notice"))
  }

  @Test func noticesAreShownToWhoAsks() throws {
    let result = try setPasscode(level: "notice")
    #expect(result.status == 0)
    #expect(
      result.notes.contains("atrest: notice: Sealed the items under new class keys items=1\n"))
  }
}
