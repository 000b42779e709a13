import AtRestCrypto
import AtRestKeybag
import Foundation

/// Errors about paths that a user passed.
enum PathError {
  /// Returns the error of the call that just failed.
  static func current(_ verb: String, _ path: String) -> AtRestError {
    switch errno {
    case ENOENT, ENOTDIR:
      AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
    case EISDIR: AtRestError.invalid("\(path) is a folder.", remedy: "Pass a regular file in it.")
    default: SystemCall.error(verb, path)
    }
  }

  static func changedMeanwhile(_ path: String) -> AtRestError {
    AtRestError(
      .system, "\(path) changed while it was read.",
      remedy: "Try again when no program writes to it.")
  }
}
