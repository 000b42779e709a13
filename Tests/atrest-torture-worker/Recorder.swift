import CAtRestTracer
import Foundation

/// Runs a program and logs its changes to the folder above store and device, call by call.
///
/// The command is `record STORE DEVICE LOG KILL PROGRAM ARGUMENTS…`. KILL is the call at whose
/// beginning the program is killed, counted from 1; with 0 it runs to its end.
struct Recorder {
  private let root: String
  private let log: String
  private let killAt: UInt32
  private let program: [String]

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count >= 3, let killAt = UInt32(arguments[1]) else {
      throw Unusable("record STORE DEVICE LOG KILL PROGRAM ARGUMENTS…")
    }
    // The tracer compares real paths.
    guard let real = realpath(store.folder.deletingLastPathComponent().path, nil) else {
      throw Unusable("\(store.folder.path) is in no folder")
    }
    root = String(cString: real)
    free(real)
    log = arguments[0]
    self.killAt = killAt
    program = Array(arguments[2...])
  }

  func run() throws {
    // A thread of the tests may block signals. Its children inherit that, and the tracer waits for
    // them.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    // The program's output is in the log.
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, 2)
    var pointers = program.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    guard atrest_record(program[0], pointers, root, log, killAt) == 0 else {
      throw Unusable("\(program[0]) could not be traced, errno \(errno)")
    }
  }
}
