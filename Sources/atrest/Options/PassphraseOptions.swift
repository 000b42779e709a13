import ArgumentParser
import AtRestCrypto

/// The passphrase of a backup.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the backup's passphrase, - for standard input; one final newline is left out.",
      valueName: "file"))
  var passphraseFile: String?

  func read(isNew: Bool) throws -> SecretBytes {
    if let passphraseFile {
      let passphrase = try SecretInput.password(in: passphraseFile)
      guard passphrase.count > 0 else {
        throw AtRestError.invalid(
          "The passphrase in \(passphraseFile) is empty.", remedy: "Write one into it.")
      }
      return passphrase
    }
    return isNew
      ? try Terminal.newSecret("passphrase of the backup")
      : try Terminal.secret("Passphrase of the backup")
  }
}
