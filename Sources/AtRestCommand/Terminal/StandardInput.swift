import ArgumentParser
import AtRestCrypto
import Foundation

/// Standard input, which can be read only once.
enum StandardInput {
  /// Checks that a command line reads standard input at most once.
  static func check(_ inputs: [String?]) throws {
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  /// True if standard input was closed when the command began (see ``StandardStream/prepare()``), or cannot be
  /// read.
  static var isClosed: Bool {
    let flags = fcntl(STDIN_FILENO, F_GETFL)
    return flags < 0 || flags & O_ACCMODE == O_WRONLY
  }

  static let closed = AtRestError.invalid(
    "Standard input is closed.", remedy: "Pipe the input in, or name a file.")
}
