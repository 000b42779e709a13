import Foundation
import Testing

@Suite struct ProtectInterruptionTests {
  @Test(arguments: [false, true]) func aSignalLeavesNothingHalfMade(_ isStopped: Bool) throws {
    let run = try CommandRun.withStore()
    let result = run.folder.appendingPathComponent("result").path
    let process = Process()
    let input = Pipe()
    process.executableURL = try CommandRun.binary()
    process.arguments = [
      "protect", "--class", "none", "-o", result, "-",
      "--store", run.folder.appendingPathComponent("store").path,
      "--device", run.folder.appendingPathComponent("device").path,
    ]
    process.standardInput = input
    // The threads that run tests block signals, and child processes inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    try process.run()
    // This is more than a pipe holds: when it has been written, the command is at work.
    input.fileHandleForWriting.write(Data(count: 3 << 20))
    if isStopped { process.terminate() }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == (isStopped ? .uncaughtSignal : .exit))
    #expect(process.terminationStatus == (isStopped ? SIGTERM : 0))
    let names = try run.names("").filter { !$0.hasPrefix(".") }
    #expect(names == ["device"] + (isStopped ? [] : ["result"]) + ["store"])
  }
}
