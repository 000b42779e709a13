import Foundation
import Glibc

/// Runs programs for the tests.
///
/// Foundation's `Process` waits until a program's descendants have ended too, so it cannot run
/// `pg_ctl`, which leaves a server behind.
enum ChildProcess {
  /// Runs a program to its end.
  ///
  /// - Returns: The exit code, and both outputs as text.
  static func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let file = TemporaryFile()
    let pid = try start(arguments, output: file.path)
    let status = wait(pid)
    let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
    return (status, String(decoding: data, as: UTF8.self))
  }

  /// Runs a program to its end, and keeps its outputs apart.
  static func capture(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    let files = (TemporaryFile(), TemporaryFile())
    let status = wait(
      try start(
        arguments, environment: environment, output: files.0.path, errors: files.1.path))
    return (status, try files.0.text(), try files.1.text())
  }

  /// Starts a program, with both outputs in a file, or the errors in another one.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], output: String,
    errors: String? = nil
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if let errors {
      posix_spawn_file_actions_addopen(
        &actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var pid: pid_t = 0
    let status = posix_spawnp(&pid, arguments[0], &actions, nil, &argv, &envp)
    struct Failure: Error { let program: String, status: Int32 }
    guard status == 0 else { throw Failure(program: arguments[0], status: status) }
    return pid
  }

  /// Waits for a program, and returns its exit code, or the negative number of its signal.
  @discardableResult
  static func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }
}
