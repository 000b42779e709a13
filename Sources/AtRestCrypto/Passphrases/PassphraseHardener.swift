import Foundation

/// Makes keys from passphrases with the help of a server, so that nobody can guess a passphrase
/// without the server.
///
/// `KeyServerClient` of the package `KeyServer` is one. A Vault uses it for its passphrases
/// (`Vault.Options.passphraseHardener`).
///
/// The KDF and its cost are a part of the passphrase: with another cost, the right passphrase is
/// refused. All calls block. The errors of the server are passed on unchanged.
public protocol PassphraseHardener: Sendable {
  /// Sets the first passphrase, and returns the key that it gives, 32 bytes. If this passphrase is
  /// set already, the call only returns its key, so an interrupted call can be repeated.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if another passphrase is set.
  func setPassphrase(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF
  ) throws -> SecretBytes

  /// Returns the key that a passphrase gives, 32 bytes.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong.
  func harden(_ passphrase: borrowing SecretBytes, kdf: PasswordKDF) throws -> SecretBytes

  /// Changes the passphrase.
  ///
  /// - Parameter prepare: Receives the keys of the former and of the new passphrase before the
  ///   server accepts the new one. Make durable there what both keys need, because an interruption
  ///   leaves either passphrase valid. If the closure throws, the passphrase stays as it was.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the former passphrase is wrong; the
  ///   closure's errors.
  func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF,
    _ prepare: (_ former: borrowing SecretBytes, _ present: borrowing SecretBytes) throws -> Void
  ) throws
}
