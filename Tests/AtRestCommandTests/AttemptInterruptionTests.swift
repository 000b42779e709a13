import Foundation
import Testing

/// An attempt that is interrupted before the passcode is tried is given back. After a kill it stays
/// counted.
@Suite struct AttemptInterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func aSignalDuringAnAttempt(_ number: Int32) throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "the right passcode")
    #expect(
      try run("init", "--passcode-file", passcode, "--kdf-time", "2000").status == 0)
    let identity = try #require(try run("status", "--json").json["identity"] as? String)
    let record = run.folder.appendingPathComponent("device/\(identity).attempts")
    // The threads that run tests block signals, and child processes inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&signals, number)
      // A job in the background of a shell ignores SIGINT, and its children do too.
      signal(number, SIG_DFL)
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var before: Data
    var process: Process
    // On a busy machine, the signal may be sent only after the right passcode was tried.
    var tries = 0
    repeat {
      tries += 1
      before = try Data(contentsOf: record)
      process = try listing(run, passcode)
      try process.run()
      // The attempt is counted before the passcode is tried, which takes two seconds.
      while try Data(contentsOf: record) == before, process.isRunning {}
      kill(process.processIdentifier, number)
      process.waitUntilExit()
    } while process.terminationReason == .exit && process.terminationStatus == 0 && tries < 20
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == number)
    let counted = try run("status", "--json").json["failedAttempts"] as? Int
    #expect(counted == (number == SIGKILL ? 1 : 0))
    // The record is unchanged, including the delay.
    if number != SIGKILL { #expect(try Data(contentsOf: record) == before) }
  }

  private func listing(_ run: CommandRun, _ passcode: String) throws -> Process {
    let process = Process()
    process.executableURL = try CommandRun.binary()
    process.arguments = [
      "list", "--passcode-file", passcode,
      "--store", run.folder.appendingPathComponent("store").path,
      "--device", run.folder.appendingPathComponent("device").path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// The KDF takes 128 MiB, and the process may have less memory.
  @Test(arguments: [true, false]) func tooLittleMemoryForTheKDF(_ isScarce: Bool) throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "the right passcode")
    let wrong = try run.file("wrong", "a wrong passcode")
    #expect(try run("init", "--passcode-file", passcode).status == 0)
    let notes = try run.file("notes", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let limit = isScarce ? "ulimit -v 130000 && " : ""
    process.arguments = [
      "-c", limit + "exec \"$@\" 2>\"$0\"", notes, try CommandRun.binary().path, "list",
      "--passcode-file", wrong, "--store", run.folder.appendingPathComponent("store").path,
      "--device", run.folder.appendingPathComponent("device").path,
    ]
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: notes, encoding: .utf8)
    #expect(said.contains(isScarce ? "could not be computed" : "The passcode is wrong"))
    let counted = try run("status", "--json").json["failedAttempts"] as? Int
    #expect(counted == (isScarce ? 0 : 1))
  }
}
