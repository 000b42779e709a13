import Testing

/// A wrong passcode of a store with an attempt limit says how many are left.
@Suite struct AttemptsLeftTests {
  @Test func theyAreCounted() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "let me in\n")
    let wrong = try run.file("wrong", "let me out\n")
    #expect(
      try run(
        "init", "--passcode-file", passcode, "--kdf-time", "1", "--attempt-limit", "3"
      ).status == 0)
    func attempt() throws -> String { try run("list", "--passcode-file", wrong).notes }
    #expect(try attempt().contains("wiped after 2 more wrong passcodes"))
    #expect(try attempt().contains("wiped after 1 more wrong passcode."))
    #expect(try attempt().contains("was wiped"))
  }

  /// Control: without a limit, nothing is wiped.
  @Test func withoutALimitOnlyTheDelayIsNamed() throws {
    let (run, _) = try CommandRun.withPasscode()
    let wrong = try run.file("wrong", "let me out\n")
    let notes = try run("list", "--passcode-file", wrong).notes
    #expect(notes.contains("A delay begins") && !notes.contains("wiped"))
  }
}
