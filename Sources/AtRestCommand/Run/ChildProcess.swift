import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A program that this command starts, waits for, and passes signals on to.
struct ChildProcess {
  /// The code of the error for a program that does not exist.
  private static let missing = AtRestError.Code(rawValue: "program-missing")

  private let process: pid_t

  /// The signals that are passed on.
  private static let signals = [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT]

  /// Starts a program, which is searched for on the PATH.
  ///
  /// - Parameters:
  ///   - environment: The variables, each as `NAME=value` with a zero at the end.
  ///   - output: The descriptors that become standard output and standard error, or nil for those
  ///     of this process.
  /// - Throws: ``AtRestError/Code/system`` if the program cannot be started, `program-missing` if there is
  ///   none.
  init(
    _ arguments: [String], environment: [SecretBox], output: (out: Int32, errors: Int32)? = nil
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output.out, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, output.errors, STDERR_FILENO)
    }
    // Until the process is known, signals wait. To block them would not do: each thread has a mask of its own.
    waiting.store(0, ordering: .sequentiallyConsistent)
    receiver.store(0, ordering: .sequentiallyConsistent)
    for number in Self.signals { Self.passOn(number) }
    // A parent's thread may have blocked them, which would leave them without effect.
    var mask = sigset_t()
    sigprocmask(SIG_BLOCK, nil, &mask)
    for number in Self.signals { sigdelset(&mask, number) }
    sigprocmask(SIG_SETMASK, &mask, nil)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var words: [UnsafeMutablePointer<CChar>?] =
      arguments.map { SystemPath.with($0) { strdup($0) } } + [nil]
    defer { for word in words { free(word) } }
    var number: pid_t = 0
    let failure = Self.withPointers(to: environment) { variables in
      posix_spawnp(&number, words[0]!, &actions, &attributes, &words, variables + [nil])
    }
    guard failure == 0 else {
      throw AtRestError(
        failure == ENOENT ? Self.missing : .system,
        "Could not run \(arguments[0]): \(String(cString: strerror(failure))).",
        remedy: "Check the name of the program and the PATH.")
    }
    process = number
    receiver.store(number, ordering: .sequentiallyConsistent)
    for signal in Self.signals { passWaiting(signal) }
  }

  /// Returns the exit code that shells have for a program that could not be started.
  static func exitCode(_ error: AtRestError) -> Int32 { error.code == missing ? 127 : 126 }

  private static func passOn(_ number: Int32) {
    var (action, before) = (sigaction(), sigaction())
    sigaction(number, nil, &before)
    #if canImport(Darwin)
      let isIgnored =
        unsafeBitCast(before.__sigaction_u.__sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
      action.__sigaction_u.__sa_sigaction = { number, information, _ in
        pass(number, information!.pointee.si_code)
      }
    #else
      let isIgnored =
        unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
      action.__sigaction_handler.sa_sigaction = { number, information, _ in
        pass(number, information!.pointee.si_code)
      }
    #endif
    guard !isIgnored else { return }
    action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_RESTART)
    sigaction(number, &action, nil)
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: Its exit code, or 128 and the number of the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    receiver.store(0, ordering: .sequentiallyConsistent)
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private static func withPointers<Result>(
    to boxes: [SecretBox], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    // The memory of a secret does not move while its box exists.
    withExtendedLifetime(boxes) {
      body(
        boxes.map { box in
          box.bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
              .assumingMemoryBound(to: CChar.self)
          }
        })
    }
  }
}

/// Passes a signal on, or keeps it until the process is known. Only calls that are safe in a signal handler are
/// allowed here.
private func pass(_ number: Int32, _ code: Int32) {
  // The terminal sends these two to the whole group, so the other process has them already.
  if (number == SIGINT || number == SIGQUIT) && code > 0 { return }
  waiting.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
  passWaiting(number)
}

/// Passes a signal on that was kept, if the process is known. Of two threads, one does.
private func passWaiting(_ number: Int32) {
  let process = receiver.load(ordering: .sequentiallyConsistent)
  let bit: UInt64 = 1 << UInt64(number)
  guard process > 0,
    waiting.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
  else { return }
  kill(process, number)
}

// Global because a signal handler can access nothing else.

/// The process that gets the signals, or 0 before it runs and after its end.
private let receiver = Atomic<pid_t>(0)
/// A bit for each signal that came before the process was known.
private let waiting = Atomic<UInt64>(0)
