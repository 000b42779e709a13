import Crypto
import Foundation

/// A 256-bit key for AES-256-GCM that takes a context with every message and erases itself.
///
/// The context (associated data) is not stored: whoever opens the box must know it, so a box moved
/// to another place does not open there.
///
/// ```swift
/// let key = SealingKey.random()
/// let box = try key.seal(secret, context: Data("row 7".utf8))
/// let again = try key.open(box, context: Data("row 7".utf8), name: "row 7")
/// ```
///
/// A box is nonce (12 bytes, random) ‖ ciphertext ‖ tag (16 bytes), NIST SP 800-38D. Since nonces
/// are random, seal at most 2^32 messages under one key.
///
/// A box does not commit to its key: whoever knows two keys can make one box that opens under both, with
/// different contents. A box that opens therefore does not show which key it was sealed with; and where
/// keys come from passwords, one box that is made for the purpose tests many passwords at once. Where
/// somebody else can choose the box and it matters which key opens it, keep a
/// ``SecretBytes/authenticationCode(for:)`` beside it, under a key that is derived from the same root, and
/// check that first. Protected files, envelopes, backups and passphrase records of AtRest do so.
public struct SealingKey: ~Copyable, Sendable {
  /// What a box is longer than its contents, in bytes.
  public static let overhead = 28

  private let bytes: SecretBytes

  /// Takes 32 secret bytes as the key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are not 32 bytes.
  public init(_ bytes: consuming SecretBytes) throws {
    guard bytes.count == 32 else {
      throw AtRestError.invalid(
        "A sealing key has 32 bytes, not \(bytes.count).", remedy: "Derive or draw 32 bytes.")
    }
    self.bytes = bytes
  }

  /// A new random key.
  public static func random() -> SealingKey { SealingKey(unchecked: .random(count: 32)) }

  private init(unchecked bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Seals a secret, bound to a context.
  public borrowing func seal(
    _ secret: borrowing SecretBytes, context: some DataProtocol
  ) throws -> Data {
    try secret.withUnsafeBytes { try seal($0, context: context) }
  }

  /// Seals bytes, bound to a context.
  public borrowing func seal(
    _ plaintext: some DataProtocol, context: some DataProtocol
  ) throws -> Data {
    try Remains.erased(after: .gcm) {
      let box = try AES.GCM.seal(
        plaintext, using: bytes.symmetricKey(), nonce: GCM.nonce(), authenticating: context)
      return box.combined ?? Data()
    }
  }

  /// Opens a box.
  ///
  /// - Parameters:
  ///   - context: The context that it was sealed with.
  ///   - name: What it is, for the error message.
  /// - Throws: ``AtRestError/Code/damaged`` if the box, its context or the key is another.
  public borrowing func open(
    _ box: some DataProtocol & ContiguousBytes, context: some DataProtocol, name: String
  ) throws -> SecretBytes {
    try Remains.erased(after: .gcm) {
      var plaintext = try box.withUnsafeBytes {
        try GCM.open($0, key: bytes.symmetricKey(), context: Array(context), name: name)
      }
      return SecretBytes(erasing: &plaintext)
    }
  }
}
