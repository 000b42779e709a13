import ArgumentParser
import AtRestCrypto
import AtRestDatabase
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The key and the format of an encrypted database.
struct DatabaseKeyOptions: ParsableArguments {
  @OptionGroup var unlock: UnlockOptions

  @Option(
    help: ArgumentHelp(
      "The keychain's item with the key: the account of a generic password.", valueName: "name"))
  var item: String?

  @Flag(help: "Derive the key from a passphrase, asked for on the terminal.")
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      "A file with the passphrase, - for standard input; one final newline is removed.",
      valueName: "file"))
  var passphraseFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with a raw key: 64, 96 or 160 hexadecimal digits, - for standard input. Those of 96 and 160 end "
        + "with the salt.",
      valueName: "file"))
  var rawKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with random keys that the passphrase opens. It is made for a new database.",
      valueName: "file"))
  var keyFile: String?

  @Option(help: "The format of the file.")
  var format = DatabaseFormatName.sqlcipher4

  @Option(help: "The size of a page in bytes. (default: that of the format)")
  var pageSize: Int?

  @Option(
    help: "The number of rounds that turn a passphrase into a key. (default: that of the format)")
  var rounds: Int?

  @Flag(
    help: "The first 32 bytes of the file are not encrypted. A passphrase then needs --salt-file.")
  var plaintextHeader = false

  @Option(
    help: ArgumentHelp(
      "A file with the salt of a passphrase: 32 hexadecimal digits. Only with --plaintext-header.",
      valueName: "file"))
  var saltFile: String?

  func validate() throws {
    let sources = [item != nil, passphrase || passphraseFile != nil, rawKeyFile != nil]
    guard sources.count(where: { $0 }) == 1 else {
      throw ValidationError(
        "Name the key: --item, --passphrase or --passphrase-file, either with --key-file, or --raw-key-file."
      )
    }
    guard
      saltFile == nil
        || (plaintextHeader && keyFile == nil && (passphrase || passphraseFile != nil))
    else {
      throw ValidationError("--salt-file is for a passphrase with --plaintext-header.")
    }
    guard keyFile == nil || passphrase || passphraseFile != nil else {
      throw ValidationError("A key file needs a passphrase: --passphrase or --passphrase-file.")
    }
    guard !unlock.readsStandardInput || (passphraseFile != "-" && rawKeyFile != "-") else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  /// True if a secret comes from standard input, so nothing else can.
  var readsStandardInput: Bool {
    unlock.readsStandardInput || passphraseFile == "-" || rawKeyFile == "-"
  }

  /// The format with its settings.
  var fileFormat: DatabaseFormat { settled(format) }

  /// A format with the settings that were named.
  func settled(_ name: DatabaseFormatName) -> DatabaseFormat {
    var format = name.format
    if let pageSize { format.pageSize = pageSize }
    if let rounds { format.rounds = rounds }
    format.hasPlaintextHeader = plaintextHeader
    return format
  }

  /// Requests the key of a database that exists.
  func key() throws -> DatabaseKey { try key(isNew: false) { _ in } }

  /// Requests the key of a new database. A passphrase that is easy to guess is refused, unless it opens
  /// a key file that exists.
  func newKey(_ weakness: WeakPassphraseOptions) throws -> DatabaseKey {
    try key(isNew: true) { phrase in
      if keyFile.map({ FileStatus.at($0) == nil }) ?? true {
        try weakness.check(phrase, .sensitive)
      }
    }
  }

  private func key(
    isNew: Bool, checking check: (borrowing SecretBytes) throws -> Void
  ) throws -> DatabaseKey {
    if let item { return .item(item, in: try unlock.open(directly: true)) }
    if let rawKeyFile { return try .raw(hexadecimal: SecretInput.password(in: rawKeyFile)) }
    let owner = keyFile == nil ? "the database" : "the key file"
    let phrase = try PassphraseOptions.read(passphraseFile, isNew: isNew, of: owner)
    try check(phrase)
    guard let keyFile else { return try .passphrase(phrase, salt: salt()) }
    return .keyFile(SystemPath.url(keyFile), passphrase: phrase)
  }

  private func salt() throws -> Data? {
    guard let saltFile else { return nil }
    return try DatabaseKey.salt(hexadecimal: SecretInput.password(in: saltFile))
  }

  /// True if the key is random, so that a new one is drawn.
  var hasRandomKey: Bool { item != nil || keyFile != nil }
}
