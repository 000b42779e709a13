import ArgumentParser

/// Standard input, which can be read only once.
enum StandardInput {
  /// Checks that a command line reads standard input at most once.
  static func check(_ inputs: [String?]) throws {
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }
}
