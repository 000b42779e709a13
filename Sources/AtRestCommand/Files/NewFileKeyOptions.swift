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

  @Flag(help: "Protect with a passphrase, without a store.")
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      "Protect for the owner of a public key (X25519 or P-256, PEM or DER), without a store. Can "
        + "be repeated.", valueName: "file"))
  var recipient: [String] = []

  @OptionGroup var weakness: WeakPassphraseOptions

  /// True if any of the options was used.
  var isGiven: Bool { protection != nil || passphrase || !recipient.isEmpty }

  func validate() throws {
    guard [protection != nil, passphrase, !recipient.isEmpty].filter({ $0 }).count < 2 else {
      throw ValidationError("Use only one of --class, --passphrase and --recipient.")
    }
  }

  /// Checks that a passphrase file is not combined with another option.
  func check(passphraseFile: String?, option: String) throws {
    guard passphraseFile == nil || (protection == nil && recipient.isEmpty) else {
      throw ValidationError("\(option) cannot be used with --class or --recipient.")
    }
  }

  /// Requests the keys that the options require.
  func files(
    _ keyring: FileKeyring, passphraseFile: String?
  ) throws -> (files: ProtectedFiles, protection: FileProtection?) {
    if !recipient.isEmpty {
      let keys = try recipient.map { try PublicKey(importing: MessageInput.contents(of: $0)) }
      return (try ProtectedFiles(recipients: keys), nil)
    }
    if passphrase || passphraseFile != nil {
      let passphrase = try PassphraseOptions.read(passphraseFile, isNew: true, of: "the files")
      try weakness.check(passphrase, .sensitive)
      return (try ProtectedFiles(passphrase: passphrase), nil)
    }
    let protection = protection ?? .completeUntilFirstAuthentication
    return (try keyring.store(for: protection), protection)
  }
}
