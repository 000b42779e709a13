import ArgumentParser
import AtRestDatabase
import AtRestKeybag
import Foundation

struct DatabasePassphraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase",
    abstract: "Change the passphrase of a database's key file.",
    discussion: """
      The database is not touched. A copy of the old key file still opens it with the old passphrase: if \
      there may be one, run atrest database rekey too.
      """)

  @Option(
    help: ArgumentHelp(
      "A file with the passphrase, - for standard input; otherwise it is asked for.",
      valueName: "file"))
  var passphraseFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with the new passphrase; one final newline is removed.", valueName: "file"))
  var newPassphraseFile: String?

  @OptionGroup var weakness: WeakPassphraseOptions

  @Argument(help: "The key file.", completion: .file())
  var keyFile: String

  func validate() throws {
    guard passphraseFile != "-" || newPassphraseFile != "-" else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  func run() throws {
    let old = try PassphraseOptions.read(passphraseFile, isNew: false, of: "the key file")
    if newPassphraseFile == nil {
      // A wrong passphrase is reported before a new one is asked for.
      _ = try EncryptedDatabase.keys(
        of: .keyFile(SystemPath.url(keyFile), passphrase: old))
    }
    let new = try PassphraseOptions.read(newPassphraseFile, isNew: true, of: "the key file")
    try weakness.check(new, .sensitive)
    try EncryptedDatabase.changePassphrase(
      ofKeyFile: SystemPath.url(keyFile), from: old, to: new)
  }
}
