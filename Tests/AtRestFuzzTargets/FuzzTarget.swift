/// What is fuzzed: each reads bytes as an attacker could have left them.
///
/// The first byte or bytes of most inputs say how the rest is put together, such as whether the right
/// code is appended: what lies behind a code is reached only where it matches, and whoever has a
/// file's key, as everybody who writes for a recipient, can make it match.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A protected file, as it is.
  case file
  /// A protected file of which the parts are given, and sealed with the file's key.
  case forgedFile = "forged-file"
  /// The journal beside a protected file.
  case journal
  /// Seals, detached and appended, and manifests.
  case seals
  /// RNCryptor, and property lists with password-encrypted parts.
  case legacy
  /// Keys in PEM, DER and X9.63.
  case keys
  /// Certificates, and PKCS#12 files of which the contents are given.
  case certificates
  /// A store's keybag.
  case keybag
  /// Envelopes, sealed values, and what the Vault's items hold.
  case vault
}
