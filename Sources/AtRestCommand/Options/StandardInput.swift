import ArgumentParser

/// Standard input, which gives one thing only.
enum StandardInput {
  /// Refuses a command line that reads it twice.
  static func check(_ inputs: [String?]) throws {
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read once only.")
    }
  }
}
