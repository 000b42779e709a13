import ArgumentParser
import AtRestCrypto
import AtRestFiles

extension FileProtection: ExpressibleByArgument {}

/// Who shall be able to read files.
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
      "Protect for the owner of a public key (X25519 or P-256, PEM or DER), without a store. May "
        + "be given several times.", valueName: "file"))
  var recipient: [String] = []

  /// Whether any way was named.
  var isGiven: Bool { protection != nil || passphrase || !recipient.isEmpty }

  func validate() throws {
    guard [protection != nil, passphrase, !recipient.isEmpty].filter({ $0 }).count < 2 else {
      throw ValidationError("Give one of --class, --passphrase and --recipient.")
    }
  }

  /// Refuses a file with a passphrase beside another way.
  func check(passphraseFile: String?, option: String) throws {
    guard passphraseFile == nil || (protection == nil && recipient.isEmpty) else {
      throw ValidationError("\(option) does not go with --class or --recipient.")
    }
  }

  /// Asks for what the way needs.
  func files(
    _ keyring: FileKeyring, passphraseFile: String?
  ) throws -> (files: ProtectedFiles, protection: FileProtection?) {
    if !recipient.isEmpty {
      let keys = try recipient.map { try PublicKey(importing: MessageInput.contents(of: $0)) }
      return (try ProtectedFiles(recipients: keys), nil)
    }
    if passphrase || passphraseFile != nil {
      let passphrase = try PassphraseOptions.read(passphraseFile, isNew: true, of: "the files")
      return (try ProtectedFiles(passphrase: passphrase), nil)
    }
    let protection = protection ?? .completeUntilFirstAuthentication
    return (try keyring.store(for: protection), protection)
  }
}
