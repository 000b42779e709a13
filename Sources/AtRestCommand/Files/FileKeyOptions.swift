import ArgumentParser

/// The keys that open protected files. Each file's header says which of these keys it needs.
struct FileKeyOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var unlock: UnlockOptions

  /// The options that may read standard input.
  var inputs: [String?] {
    [unlock.passcodeFile, passphrase.passphraseFile, identity.identity]
  }

  var keyring: FileKeyring { keyring(askingPassphrase: false) }

  /// - Parameter asks: True to open files only with their passphrase, asked for on the terminal.
  func keyring(askingPassphrase asks: Bool) -> FileKeyring {
    FileKeyring(
      unlock, passphraseFile: passphrase.passphraseFile, asksPassphrase: asks, identity: identity)
  }
}
