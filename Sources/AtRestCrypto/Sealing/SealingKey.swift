import CAtRestSystem
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
public struct SealingKey: ~Copyable, Sendable {
  /// What a box is longer than its contents, in bytes.
  public static let overhead = 28

  private let bytes: SecretBytes

  /// Takes 32 secret bytes as the key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where there are not 32 bytes.
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
    let box = try AES.GCM.seal(
      plaintext, using: bytes.symmetricKey(), authenticating: context)
    return box.combined ?? Data()
  }

  /// Opens a box.
  ///
  /// - Parameters:
  ///   - context: The context that it was sealed with.
  ///   - name: What it is, for the error message.
  /// - Throws: ``AtRestError/Code/damaged`` where the box, its context or the key is another.
  public borrowing func open(
    _ box: some DataProtocol & ContiguousBytes, context: some DataProtocol, name: String
  ) throws -> SecretBytes {
    var plaintext = try box.withUnsafeBytes {
      try GCM.open($0, key: bytes.symmetricKey(), context: Array(context), name: name)
    }
    return SecretBytes(erasing: &plaintext)
  }
}

/// AES-256-GCM in the form that every box of AtRest has: nonce ‖ ciphertext ‖ tag.
///
/// Of concrete types, since generic calls are not specialised across modules.
package enum GCM {
  /// The size of swift-crypto's AEAD context as an object: 16 bytes of header and BoringSSL's
  /// `EVP_AEAD_CTX`. It holds the key schedule, which begins with the key, and is freed as it is.
  private static let contextSize = 592

  /// With optimisation the context may lie on the stack instead.
  static func eraseRemains() {
    atrest_erase_freed(contextSize)
    atrest_erase_stack_of_call()
  }

  package static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    defer { eraseRemains() }
    let box = try AES.GCM.seal(plaintext, using: key, authenticating: context)
    // `combined` is nil for nonces of other sizes only.
    return box.combined ?? Data()
  }

  package static func seal(
    _ plaintext: [UInt8], key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    try plaintext.withUnsafeBytes { try seal($0, key: key, context: context) }
  }

  package static func open(
    _ box: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8],
    name: @autoclosure () -> String
  ) throws -> Data {
    defer { eraseRemains() }
    do {
      return try AES.GCM.open(
        AES.GCM.SealedBox(combined: box), using: key, authenticating: context)
    } catch {
      throw AtRestError.damaged(
        "\(name()) does not open: it was changed, moved, or sealed under another key.")
    }
  }
}
