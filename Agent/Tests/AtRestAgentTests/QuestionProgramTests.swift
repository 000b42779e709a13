import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The program that asks the user.
struct QuestionProgramTests {
  private func script(_ text: String) throws -> (path: String, folder: URL) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-prompt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("ask").path
    try Script.write("#!/bin/bash\n" + text, to: path, permissions: 0o700)
    return (path, folder)
  }

  private func run(_ text: String, question place: PromptProgram.Place = .input) throws -> String {
    let (path, folder) = try script(text)
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try PromptProgram(path, question: place).run(
      "the question", isConfirmation: true, until: .now + .seconds(60))
    #expect(result.status == 7)
    return String(copying: result.output) ?? ""
  }

  /// Other users can read the arguments of a process, and not its standard input.
  @Test func theQuestionIsNotInTheListOfProcesses() throws {
    let text = "tr '\\0' ' ' </proc/$$/cmdline; echo; cat; exit 7"
    let output = try run(text)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == "the question", "\(output)")
    #expect(!lines[0].contains("the question") && lines[0].contains(PromptProgram.hint))
    // Control: a program for SSH_ASKPASS gets it as an argument.
    #expect(try run(text, question: .argument).contains("the question"))
  }

  @Test func noSignalIsBlockedAndNoDescriptorInherited() throws {
    // Descriptors that other programs would inherit.
    let pipes = (0..<5).map { _ in Pipe() }
    for pipe in pipes { _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFD, 0) }
    // The agent blocks these signals in all of its threads.
    let output = try withBlockedSignals {
      // Bash itself looks: a pipeline would have descriptors of its own for a moment.
      try run(
        """
        grep SigBlk /proc/self/status
        for ((n = 0; n < 1024; n++)); do test -e /proc/$$/fd/$n && printf '%d ' $n; done
        exit 7
        """)
    }
    #expect(output.contains("SigBlk:\t0000000000000000"), "\(output)")
    // Bash has its script as another one.
    let numbers = output.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) }
    #expect(numbers == [0, 1, 2, 255], "\(output)")
    withExtendedLifetime(pipes) {}
  }

  private func withBlockedSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
    var (ends, before) = (sigset_t(), sigset_t())
    sigemptyset(&ends)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
    pthread_sigmask(SIG_BLOCK, &ends, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  @Test func aProgramIsEndedInTime() throws {
    let (path, folder) = try script("exec sleep 600\n")
    defer { try? FileManager.default.removeItem(at: folder) }
    let refusal = #expect(throws: AtRestError.self) {
      _ = try PromptProgram(path, question: .input).run(
        "x", isConfirmation: true, until: .now + .milliseconds(200))
    }
    #expect(refusal?.code == .canceled)
  }

  /// An agent that may have few descriptors asks as often as is needed.
  @Test func questionsLeaveNoDescriptors() throws {
    let run = try AgentRun()
    try run.asker.write()
    let agent = try AgentProgram(
      run.location, in: run.folder, ["--ask", run.asker.path], mostDescriptors: 96)
    try agent.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    let connection = try agent.connect()
    for _ in 0..<100 { #expect(try run.text(AgentRun.mail, over: connection) == "mail secret") }
    #expect(run.asker.questions.count == 100)
    try agent.connect().send(.lock)
    let status: AgentStatus = try agent.connect().document(.status)
    #expect(!status.isUnlocked)
    // The program of the connection is still found, for which /proc has to be read.
    #expect(status.evidence.contains { $0.kind != .user })
  }
}
