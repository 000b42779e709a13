import ArgumentParser

/// What opens files that are protected; which of it a file needs is told by its header.
struct FileKeyOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var unlock: UnlockOptions

  /// What may be standard input.
  var inputs: [String?] {
    [unlock.passcodeFile, passphrase.passphraseFile, identity.identity]
  }

  var keyring: FileKeyring {
    FileKeyring(unlock, passphraseFile: passphrase.passphraseFile, identity: identity)
  }
}
