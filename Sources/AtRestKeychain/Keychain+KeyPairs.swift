import AtRestCrypto
import AtRestKeybag
import Foundation

/// Key pairs, which are found by an application tag that is unique in an access group.
extension Keychain {
  /// Creates a key pair whose private half stays in the keychain.
  ///
  /// ```swift
  /// let publicKey = try keychain.createKey(.p256, tag: "com.example.signing")
  /// let signature = try keychain.sign(message, tag: "com.example.signing")
  /// ```
  ///
  /// - Parameters:
  ///   - tag: The application tag, which must be unique among the private keys of the group.
  ///   - isExtractable: True if `exportKey(tag:group:context:)` may return the private half.
  /// - Throws: ``AtRestError/Code/duplicate`` if the tag is taken; otherwise the errors of
  ///   `add(_:secret:attributes:protection:context:)`.
  @discardableResult
  public func createKey(
    _ algorithm: KeyAlgorithm, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> PublicKey {
    try backend.createKey(
      algorithm,
      .init(
        name: .init(tag, group: group), label: label, isExtractable: isExtractable,
        protection: protection), context: context)
  }

  /// Stores a private key that was generated elsewhere.
  ///
  /// - Throws: The errors of `createKey(_:tag:label:isExtractable:protection:group:context:)`.
  @discardableResult
  public func importKey(
    _ key: borrowing PrivateKey, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> PublicKey {
    try backend.importKey(
      key,
      .init(
        name: .init(tag, group: group), label: label, isExtractable: isExtractable,
        protection: protection), context: context)
  }

  /// Returns the public half of a key pair. The user is not asked, because this half is public.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/invalidArgument`` if `group` is nil and
  ///   keys of several groups have the tag.
  public func publicKey(tag: String, group: String? = nil) throws -> PublicKey {
    try backend.publicKey(.init(tag, group: group))
  }

  /// Signs a message with the private key that has a tag.
  ///
  /// - Parameter scheme: The signature scheme. nil selects the default of the algorithm.
  /// - Throws: The errors of `publicKey(tag:group:)` and, if the key has access control, of
  ///   `secret(for:context:)`; ``AtRestError/Code/invalidArgument`` if the algorithm does not
  ///   support the scheme.
  public func sign(
    _ message: Data, tag: String, group: String? = nil, scheme: SignatureScheme? = nil,
    context: AuthenticationContext? = nil
  ) throws -> Data {
    try withKey(tag, group, context) { key in
      try key.signature(for: message, scheme: scheme)
    }
  }

  /// Agrees on a secret with the holder of another key.
  ///
  /// Derive keys from the result (``SecretBytes/derive(_:salt:context:count:)``); never use the
  /// result itself as a key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`.
  public func sharedSecret(
    with publicKey: PublicKey, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try withKey(tag, group, context) { key in
      try key.sharedSecret(with: publicKey)
    }
  }

  /// Decrypts data that was encrypted to an RSA key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`; ``AtRestError/Code/notPermitted``
  ///   for a key with private-key usage, which may only sign and agree on secrets.
  public func decrypt(
    _ ciphertext: Data, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try withKey(tag, group, decrypts: true, context) { key in
      try key.decrypt(ciphertext)
    }
  }

  /// Returns the private key itself, if it was created or imported as extractable.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the key is not extractable; otherwise the
  ///   errors of `sign(_:tag:group:scheme:context:)`.
  public func exportKey(
    tag: String, group: String? = nil, context: AuthenticationContext? = nil
  ) throws -> PrivateKey {
    try backend.exportKey(.init(tag, group: group), context: context)
  }

  /// Deletes the private key that has a tag.
  ///
  /// - Throws: The errors of `publicKey(tag:group:)`.
  public func deleteKey(tag: String, group: String? = nil) throws {
    try backend.deleteKey(.init(tag, group: group))
  }

  /// Calls a closure with the private key that has a tag, even if the key may not be exported. The closure
  /// must not keep any part of the key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`.
  package func withPrivateKey<Result: ~Copyable>(
    tag: String, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try withKey(tag, nil, context, body)
  }

  private func withKey<Result: ~Copyable>(
    _ tag: String, _ group: String?, decrypts: Bool = false, _ context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try backend.withKey(
      .name(.init(tag, group: group)), decrypts: decrypts, context: context, body)
  }
}
