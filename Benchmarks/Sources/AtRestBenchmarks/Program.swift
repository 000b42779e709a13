import Foundation

/// A program that is run to its end, with its time and memory use.
struct Program {
  let path: String
  let arguments: [String]
  /// Files for standard input and output, for programs without options for them.
  var input = "/dev/null"
  var output = "/dev/null"

  struct Run {
    let seconds: Double
    /// The peak resident memory, in MiB.
    let peakMemory: Double
  }

  /// Returns the path of a program on the PATH, or nil if it is not installed.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  func run() throws -> Run {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var arguments = ([path] + arguments).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    let start = ContinuousClock.now
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, nil, &arguments, environ) == 0 else {
      throw Failure(program: path, status: -1)
    }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child, status == 0 else {
      throw Failure(program: ([path] + self.arguments).joined(separator: " "), status: status)
    }
    return Run(
      seconds: (ContinuousClock.now - start) / .seconds(1),
      peakMemory: Double(usage.ru_maxrss) / 1024)
  }

  struct Failure: Error {
    let program: String
    let status: Int32
  }
}
