import ArgumentParser
import AtRestCrypto

/// Reports the failures of files as they happen, while the command continues with other files.
final class Failures {
  private var worst = ExitStatus.done

  func report(_ error: AtRestError) {
    Output.failure(error)
    count(ExitStatus(error))
  }

  /// Sets the exit code with which the command ends, unless a worse one is already set.
  func count(_ status: ExitStatus) {
    if status.rawValue > worst.rawValue { worst = status }
  }

  /// Runs a closure, and reports its error.
  func catching(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as AtRestError {
      // The user pressed Ctrl-C, so no message is needed.
      if error.code == .canceled, Interruption.isPending { return }
      report(error)
    }
  }

  /// True if nothing failed so far.
  var isEmpty: Bool { worst == .done }

  /// Ends the command with the worst exit code, if anything failed.
  func end() throws {
    if worst != .done { throw ExitCode(worst.rawValue) }
  }
}
