import AtRest
import CAtRestTracer
import Foundation

/// Reports on this very process, as JSON.
enum Integrity {
  /// `integrity`
  static func report() throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(RuntimeIntegrity().report()))
  }

  /// `integrity-without-variables`: as a library does that hides how it came in.
  static func reportWithoutVariables() throws {
    unsetenv("LD_PRELOAD")
    try report()
  }

  /// `with-signals PROGRAM ARGUMENTS`: becomes a program that no signal is kept from. A thread of a test
  /// may block them, its children inherit that, and a debugger waits for them.
  static func becomeWithSignals(_ arguments: [String]) throws {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    var pointers = arguments.map { strdup($0) }
    pointers.append(nil)
    execv(arguments[0], pointers)
    throw AtRestError(.system, "\(arguments[0]) did not start.", remedy: "Name a program.")
  }

  /// `traced PROGRAM ARGUMENTS`: runs a program under a tracer.
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
