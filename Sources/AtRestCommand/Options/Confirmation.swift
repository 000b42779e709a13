import ArgumentParser
import AtRestCrypto

/// Asks before an action that cannot be undone.
struct Confirmation: ParsableArguments {
  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  /// Asks the user to type a word. Throws ``AtRestError/Code/canceled`` for any other answer.
  func ask(_ question: String, word: String) throws {
    guard !yes else { return }
    guard Terminal.isPresent else {
      // Not a ValidationError, which would print the usage of atrest instead of that of the command.
      throw AtRestError.invalid("There is no terminal for the question.", remedy: "Use --yes.")
    }
    guard try Terminal.word("\(question) Type \"\(word)\" to continue") == word else {
      throw AtRestError(
        .canceled, "The answer was not \"\(word)\". Nothing was modified.",
        remedy: "Type \(word), or use --yes.")
    }
  }
}
