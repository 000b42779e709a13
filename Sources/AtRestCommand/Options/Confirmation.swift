import ArgumentParser
import AtRestCrypto

/// Asks before what cannot be undone.
struct Confirmation: ParsableArguments {
  @Flag(help: "Do it without asking.")
  var yes = false

  /// Has the user type a word.
  func ask(_ question: String, word: String) throws {
    guard !yes else { return }
    guard Terminal.isPresent else {
      throw ValidationError("There is no terminal to ask on: give --yes.")
    }
    guard try Terminal.word("\(question) Type \"\(word)\" to go on") == word else {
      throw AtRestError(.canceled, "Nothing was done.", remedy: "Type \(word), or give --yes.")
    }
  }
}
