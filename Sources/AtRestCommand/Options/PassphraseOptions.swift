import ArgumentParser
import AtRestCrypto

/// The passphrase of a backup, or of files without a store.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the passphrase, - for standard input; one final newline is removed.",
      valueName: "file"))
  var passphraseFile: String?

  func read(isNew: Bool, of owner: String) throws -> SecretBytes {
    try Self.read(passphraseFile, isNew: isNew, of: owner)
  }

  /// Reads a passphrase from the file, or asks for it on the terminal, twice if it is new.
  static func read(_ file: String?, isNew: Bool, of owner: String) throws -> SecretBytes {
    if let file {
      let passphrase = try SecretInput.password(in: file)
      guard passphrase.count > 0 else {
        throw AtRestError.invalid(
          "The passphrase in \(file) is empty.", remedy: "Write a passphrase into it.")
      }
      return passphrase
    }
    guard Terminal.isPresent else {
      throw AtRestError.invalid(
        "There is no terminal to ask for the passphrase of \(owner).",
        remedy: "Use --passphrase-file.")
    }
    return isNew
      ? try Terminal.newSecret("passphrase of \(owner)")
      : try Terminal.secret("Passphrase of \(owner)")
  }
}
