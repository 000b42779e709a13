import ArgumentParser
import AtRestCrypto
import Foundation

/// The source of an item's secret.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the secret, - for standard input; read byte for byte.", valueName: "file"))
  var secretFile: String?

  @Flag(help: "Remove one final newline of a file or pipe, as echo writes it.")
  var stripNewline = false

  /// Refuses a command line whose secret would have to come from standard input, from which another
  /// option reads, before that option takes the secret for a wrong passcode.
  func check(standardInputIsTaken: Bool) throws {
    guard standardInputIsTaken, secretFile == nil, !Terminal.isPresent else { return }
    throw ValidationError(
      "Standard input can provide only one secret, and there is no terminal for the other; use "
        + "--secret-file.")
  }

  /// Reads the secret from the file or the pipe, or asks for it twice on the terminal.
  ///
  /// - Parameter standardInputIsTaken: True if another option reads standard input.
  func read(standardInputIsTaken: Bool) throws -> SecretBytes {
    if let secretFile {
      guard secretFile != "-" || !standardInputIsTaken else {
        throw ValidationError("Standard input can provide only one secret.")
      }
      return stripped(try SecretInput.contents(of: secretFile))
    }
    guard !standardInputIsTaken, !Output.isTerminal(STDIN_FILENO) else {
      return try Terminal.newSecret("secret")
    }
    let secret = stripped(try SecretInput.contents(of: "-"))
    guard secret.count > 0 else {
      // An empty pipe is more likely a mistake than an empty secret.
      throw AtRestError.invalid(
        "Standard input is empty.",
        remedy: "Pipe the secret in, or use --secret-file for an empty secret.")
    }
    if !stripNewline, secret.withUnsafeBytes({ $0.last == UInt8(ascii: "\n") }) {
      Output.note(
        "The secret ends with a newline, which is stored too. --strip-newline leaves it out.")
    }
    return secret
  }

  private func stripped(_ secret: consuming SecretBytes) -> SecretBytes {
    stripNewline ? SecretInput.withoutNewline(secret) : secret
  }
}
