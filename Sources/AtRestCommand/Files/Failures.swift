import ArgumentParser
import AtRestCrypto

/// Reports failures as they come, so that the other files are still worked on.
final class Failures {
  private var worst = ExitStatus.done

  func report(_ error: AtRestError) {
    Output.failure(error)
    count(ExitStatus(error))
  }

  /// Ends the command with a status, unless with a worse one.
  func count(_ status: ExitStatus) {
    if status.rawValue > worst.rawValue { worst = status }
  }

  /// Runs a piece of work, and reports what it throws.
  func catching(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as AtRestError {
      // Whoever pressed Ctrl-C knows.
      if error.code == .canceled, Interruption.isPending { return }
      report(error)
    }
  }

  /// Ends the command with the worst exit code, where anything failed.
  func end() throws {
    if worst != .done { throw ExitCode(worst.rawValue) }
  }
}
