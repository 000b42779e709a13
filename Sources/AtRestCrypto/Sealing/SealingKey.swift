import Crypto
import Foundation

/// A 256-bit key for AES-256-GCM. Every message requires a context, and the key is erased on
/// release.
///
/// The context (associated data) is not stored. Opening a box requires the context it was sealed
/// with, so a box that was moved to another place does not open there.
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
/// A box does not commit to its key: anyone who knows two keys can make one box that opens under
/// both, with different contents. Opening a box therefore does not prove which key it was sealed
/// with. If keys are derived from passwords, an attacker can make one box that tests many passwords
/// at once. If an attacker can choose the box and it matters which key opens it, store an
/// authentication code beside the box (``SecretBytes/authenticationCode(for:)``, with a key derived
/// from the same root), and check the code before you open the box. AtRest has such a code in
/// protected files, envelopes, backups and passphrase records.
public struct SealingKey: ~Copyable, Sendable {
  /// The number of bytes by which a box is longer than its contents.
  public static let overhead = 28

  private let bytes: SecretBytes

  /// Creates a sealing key from 32 secret bytes.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not have 32 bytes.
  public init(_ bytes: consuming SecretBytes) throws {
    guard bytes.count == 32 else {
      throw AtRestError.invalid(
        "A sealing key has 32 bytes, not \(bytes.count).",
        remedy: "Derive a key of 32 bytes or generate a random one.")
    }
    self.bytes = bytes
  }

  /// Creates a random key.
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
  ///   - context: The context that the box was sealed with.
  ///   - name: The name of the contents, for the error message.
  /// - Throws: ``AtRestError/Code/damaged`` if the box or its context was modified, or the key is
  ///   wrong.
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
