import CAtRestTracer
import Foundation

/// Runs a program in which something goes wrong at one of its calls.
///
/// The command is `fail STORE DEVICE RESULT KILL FAIL ERROR LASTS PROGRAM ARGUMENTS…`, see
/// `atrest_fault`. Only calls that change the folder above the store are counted, and those that
/// write output. The file RESULT gets the program's status, the number of calls, and the number of
/// those that failed.
struct Injector {
  private let root: String
  private let result: String
  private let fault: atrest_fault
  private let program: [String]

  init(_ store: Store, _ arguments: [String]) throws {
    let numbers = arguments.dropFirst().prefix(4).compactMap { UInt32($0) }
    guard arguments.count > 5, numbers.count == 4 else {
      throw Unusable("fail STORE DEVICE RESULT KILL FAIL ERROR LASTS PROGRAM ARGUMENTS…")
    }
    // The tracer compares real paths.
    guard let real = realpath(store.folder.deletingLastPathComponent().path, nil) else {
      throw Unusable("\(store.folder.path) is in no folder")
    }
    root = String(cString: real)
    free(real)
    result = arguments[0]
    fault = atrest_fault(
      kill_at: numbers[0], fail_at: numbers[1], error: Int32(numbers[2]), lasts: Int32(numbers[3]))
    program = Array(arguments[5...])
  }

  func run() throws {
    // A thread of the tests may block signals. Its children inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    var pointers = program.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    var fault = fault
    var happened = atrest_fault_count()
    guard
      atrest_record_failing(program[0], pointers, root, "/dev/null", &fault, &happened) == 0
    else {
      throw Unusable("\(program[0]) could not be traced, errno \(errno)")
    }
    let line = "\(happened.status) \(happened.calls) \(happened.failures)"
    try Data(line.utf8).write(to: URL(fileURLWithPath: result))
  }
}
