import AtRestCrypto
import Foundation

extension AtRestError {
  /// The error of a file that this process cannot write.
  static func readOnly(_ url: URL) -> AtRestError {
    AtRestError(
      .notPermitted, "The database \(url.path) may not be written.",
      remedy: "Check its permissions. Nothing was modified.")
  }

  /// The error of a file that has fewer pages than its database.
  static func cutOff(_ url: URL) -> AtRestError {
    .damaged("The database \(url.path) is cut off: its first page says that it is longer.")
  }
}
