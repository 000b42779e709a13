import Foundation

/// The fault of a standard stream of a command that a test runs.
enum StreamFault: String, CaseIterable, CustomStringConvertible {
  case closed, full, ended

  var description: String { rawValue }

  /// Returns the redirection of a stream in a shell script. `$gone` is a pipe whose reader has
  /// ended.
  fileprivate func redirection(of stream: Int) -> String {
    switch self {
    case .closed: "\(stream)>&-"
    case .full: "\(stream)>/dev/full"
    case .ended: "\(stream)>&9"
    }
  }
}

extension CommandRun {
  /// Runs the command with faults on its streams, and returns its exit code, or 128 and more after
  /// a signal.
  func status(
    _ arguments: [String], input: String? = nil, output: StreamFault? = nil,
    errors: StreamFault? = nil, limitedTo blocks: Int? = nil,
    with variables: [String: String] = [:]
  ) throws -> Int32 {
    var redirections: [String] = []
    redirections.append(output.map { $0.redirection(of: 1) } ?? "1>.out")
    redirections.append(errors.map { $0.redirection(of: 2) } ?? "2>.notes")
    if output != .ended && errors != .ended { redirections.append("9>&-") }
    let words = try ([Self.binary().path] + arguments).map(Self.quoted).joined(separator: " ")
    // The pipe is opened for reading and writing, so neither open blocks. Its only reader ends
    // before the command begins.
    let script = """
      rm -f .pipe && mkfifo .pipe && exec 8<>.pipe && exec 9>.pipe && exec 8>&- && rm .pipe
      \(blocks.map { "ulimit -f \($0)" } ?? "true")
      env --default-signal=PIPE,XFSZ \(words) \(redirections.joined(separator: " "))
      exit $?
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["-w", "/bin/bash", "-c", script]
    process.currentDirectoryURL = folder
    process.environment = environment().merging(variables) { $1 }
    process.standardInput = FileHandle.nullDevice
    if let input {
      process.standardInput = try FileHandle(
        forReadingFrom: URL(fileURLWithPath: file(".in", input)))
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // The threads that run tests block signals, and child processes inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
    var former = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &signals, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
