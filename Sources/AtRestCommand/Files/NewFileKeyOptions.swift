import ArgumentParser
import AtRestCrypto
import AtRestFiles

extension FileProtection: ExpressibleByArgument {}

/// The readers of new files.
struct NewFileKeyOptions: ParsableArguments {
  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "When the store opens the file. (default: complete-until-first-authentication)",
      valueName: "class"))
  var protection: FileProtection?

  @Flag(
    help: "Protect with a passphrase: without a store, or as a second way in besides --class.")
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      "Protect for the owner of a public key (X25519 or P-256, PEM or DER): without a store, or as "
        + "a second way in besides --class. Can be repeated.", valueName: "file"))
  var recipient: [String] = []

  private static let defaultProtection = FileProtection.completeUntilFirstAuthentication

  @OptionGroup var weakness: WeakPassphraseOptions

  /// True if any of the options was used.
  var isGiven: Bool { protection != nil || passphrase || !recipient.isEmpty }

  /// Requests the keys that the options require.
  func files(
    _ keyring: FileKeyring, passphraseFile: String?
  ) throws -> (files: ProtectedFiles, protection: FileProtection?) {
    var readers: [ProtectedFiles] = []
    let usesPassphrase = passphrase || passphraseFile != nil
    let usesStore = protection != nil || !usesPassphrase && recipient.isEmpty
    if usesStore {
      readers.append(try keyring.store(for: protection ?? Self.defaultProtection))
    }
    if usesPassphrase {
      let passphrase = try PassphraseOptions.read(passphraseFile, isNew: true, of: "the files")
      try weakness.check(passphrase, .sensitive)
      readers.append(try ProtectedFiles(passphrase: passphrase))
    }
    if !recipient.isEmpty {
      let keys = try recipient.map { try PublicKey(importing: MessageInput.small($0)) }
      readers.append(try ProtectedFiles(recipients: keys))
    }
    return (
      readers.dropFirst().reduce(readers[0]) { $0.adding(readersOf: $1) },
      usesStore ? protection ?? Self.defaultProtection : nil
    )
  }
}
