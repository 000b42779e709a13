@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation

/// Data sealed under a key of its own, with that key wrapped for everyone who may open it.
///
/// The sealed data and the wrapped key can be stored apart: the data in a file or on a server, and
/// the wrapped key beside the data, in a database, or with somebody else. Neither part is secret.
/// ``KeyEncryptionKeys`` seals, opens and rewraps envelopes. The holder of a recipient's private
/// key needs only ``open(context:with:)``.
///
/// ```swift
/// let envelope = try keys.seal(scan, context: Data("passport of eva".utf8), to: [auditor])
/// try save(envelope.sealedData, envelope.wrappedKey)
/// let scan = try keys.open(
///   Envelope(wrappedKey: wrapped, sealedData: sealed), context: Data("passport of eva".utf8))
/// ```
///
/// `docs/Formats.md`, *Envelopes*, specifies the layout. Every byte is authenticated, and so is the
/// context, which is not stored.
public struct Envelope: Hashable, BlockingCalls {
  /// The key of the data, wrapped for everyone who may open it.
  public let wrappedKey: Data
  /// The data, sealed under that key.
  public let sealedData: Data

  /// Combines two parts that were stored apart. Opening the envelope checks that they belong
  /// together.
  public init(wrappedKey: Data, sealedData: Data) {
    self.wrappedKey = wrappedKey
    self.sealedData = sealedData
  }

  /// Both parts in one value: the wrapped key, preceded by its length (32 bits), and then the data.
  public var encoded: Data {
    var writer = ByteWriter(capacity: wrappedKey.count + sealedData.count + 4)
    writer.counted(wrappedKey)
    writer.fixed(sealedData)
    return writer.data
  }

  /// Decodes the bytes of ``encoded``.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are truncated or the wrapped key is too
  ///   long.
  public init(decoding bytes: some ContiguousBytes) throws {
    self = try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The envelope")
      let wrappedKey = Data(try reader.counted(limit: WrappedEnvelopeKey.maximumCount))
      return Envelope(
        wrappedKey: wrappedKey, sealedData: Data(try reader.fixed(reader.remaining)))
    }
  }

  /// A key that can open an envelope, as listed in the envelope's wrapped key.
  public enum Reader: Hashable, Sendable {
    /// A key-encryption key in a keychain, by its identifier.
    case keyEncryptionKey(Data)
    /// A recipient's private key, by the first 8 bytes of the SHA-256 of the public key's DER.
    case recipient(fingerprint: Data)
  }

  /// Returns the keys that can open the envelope. Do not trust the list before the envelope is
  /// opened, which authenticates it.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the wrapped key is malformed;
  ///   ``AtRestError/Code/unsupportedVersion``.
  public func readers() throws -> [Reader] {
    try WrappedEnvelopeKey(decoding: wrappedKey).slots.map(\.reader)
  }

  // MARK: Recipients

  /// Opens the envelope with a recipient's private key.
  ///
  /// - Parameter context: The context that the envelope was sealed with.
  /// - Throws: ``AtRestError/Code/notPermitted`` if the envelope was not sealed to this key;
  ///   ``AtRestError/Code/damaged`` if the envelope is not as it was sealed, or if it was sealed
  ///   with another context; ``AtRestError/Code/unsupportedVersion``.
  public func open(context: Data, with key: borrowing PrivateKey) throws -> SecretBytes {
    try open(
      context: context, publicKey: key.publicKey, agree: { try key.sharedSecret(with: $0) },
      decrypt: { try key.decrypt($0) })
  }

  /// Opens the envelope with a recipient's private key that stays in a keychain.
  ///
  /// - Parameters:
  ///   - context: The context that the envelope was sealed with.
  ///   - tag: The tag of the key pair.
  ///   - authentication: The context for prompts to the user.
  /// - Throws: The errors of `open(context:with:)` and of
  ///   `Keychain.sharedSecret(with:tag:group:context:)`.
  public func open(
    context: Data, tag: String, of keychain: Keychain, group: String? = nil,
    authentication: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try open(
      context: context, publicKey: keychain.publicKey(tag: tag, group: group),
      agree: {
        try keychain.sharedSecret(with: $0, tag: tag, group: group, context: authentication)
      },
      decrypt: { try keychain.decrypt($0, tag: tag, group: group, context: authentication) })
  }

  private func open(
    context: Data, publicKey: PublicKey, agree: (PublicKey) throws -> SecretBytes,
    decrypt: (Data) throws -> SecretBytes
  ) throws -> SecretBytes {
    let wrapped = try WrappedEnvelopeKey(decoding: wrappedKey)
    let key = try wrapped.slot(for: publicKey)
      .unwrap(publicKey, envelope: wrapped.id, agree: agree, decrypt: decrypt)
    try wrapped.check(key)
    return try EnvelopeData.open(sealedData, wrapped.id, key, context: context)
  }
}
