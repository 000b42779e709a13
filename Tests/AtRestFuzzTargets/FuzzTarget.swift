/// The fuzz targets. Each reads bytes as an attacker could have left them.
///
/// The first byte or bytes of most inputs determine how the rest is assembled, such as whether the
/// right code is appended. The bytes that a code authenticates are only read if the code matches,
/// and anyone who has a file's key, such as anyone who writes for a recipient, can make it match.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A protected file, unchanged.
  case file
  /// A protected file whose parts come from the input and are sealed with the file's key.
  case forgedFile = "forged-file"
  /// The journal beside a protected file.
  case journal
  /// Stamps, detached and appended, and manifests.
  case seals
  /// RNCryptor, and property lists with password-encrypted parts.
  case legacy
  /// Keys in PEM, DER and X9.63.
  case keys
  /// Certificates, and PKCS#12 files whose contents come from the input.
  case certificates
  /// A store's keybag.
  case keybag
  /// Envelopes, stamped values, and the contents of the Vault's items.
  case vault
  /// Encrypted databases with a log or a journal.
  case database
  /// The keys of databases, in an item and in a key file.
  case databaseKeys = "database-keys"
  /// Requests to the agent, and its answers.
  case agent
  /// The texts of git, docker, AWS, kubectl and askpass, and references to secrets.
  case credentials
}
