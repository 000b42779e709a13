import AtRest
import CAtRestTracer
import Foundation

/// Reports about this process itself, as JSON.
enum Integrity {
  /// The command `integrity`.
  static func report() throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(RuntimeIntegrity().report()))
  }

  /// The command `integrity-without-variables`. It acts like a library that hides how it was
  /// loaded.
  static func reportWithoutVariables() throws {
    unsetenv("LD_PRELOAD")
    try report()
  }

  /// The command `with-signals PROGRAM ARGUMENTS`, which becomes a program with no blocked signals.
  /// A thread of a test may block them, its children inherit that, and a debugger waits for them.
  static func becomeWithSignals(_ arguments: [String]) throws {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    var pointers = arguments.map { strdup($0) }
    pointers.append(nil)
    execv(arguments[0], pointers)
    throw AtRestError(.system, "\(arguments[0]) did not start.", remedy: "Name a program.")
  }

  /// The command `traced PROGRAM ARGUMENTS`, which runs a program under a tracer.
  static func trace(_ arguments: [String]) throws {
    var pointers = arguments.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    let status = atrest_run_traced(arguments[0], pointers)
    guard status == 0 else {
      throw AtRestError(
        .system, "The traced program ended with \(status), errno \(errno).", remedy: "Allow ptrace."
      )
    }
  }
}
