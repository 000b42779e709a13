import ArgumentParser
import AtRestCrypto
import Foundation

/// Where an item's secret comes from.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the secret, - for standard input; taken byte for byte.", valueName: "file"))
  var secretFile: String?

  @Flag(help: "Leave out one final newline of a file or pipe, as echo writes it.")
  var stripNewline = false

  /// Reads the file, or the pipe, or asks twice.
  ///
  /// - Parameter standardInputIsTaken: Whether another option reads standard input.
  func read(standardInputIsTaken: Bool) throws -> SecretBytes {
    if let secretFile {
      guard secretFile != "-" || !standardInputIsTaken else {
        throw ValidationError("Standard input can give one secret only.")
      }
      return stripped(try SecretInput.contents(of: secretFile))
    }
    guard !standardInputIsTaken, !Output.isTerminal(STDIN_FILENO) else {
      return try Terminal.newSecret("secret")
    }
    let secret = stripped(try SecretInput.contents(of: "-"))
    guard secret.count > 0 else {
      // More likely a closed pipe than a wish.
      throw AtRestError.invalid(
        "Standard input gave no secret.",
        remedy: "Pipe it in, or take an empty file with --secret-file.")
    }
    return secret
  }

  private func stripped(_ secret: consuming SecretBytes) -> SecretBytes {
    stripNewline ? SecretInput.withoutNewline(secret) : secret
  }
}
