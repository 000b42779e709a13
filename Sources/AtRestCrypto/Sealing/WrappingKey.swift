import Crypto
import Foundation

/// A 256-bit key that wraps other keys: AES Key Wrap, RFC 3394.
///
/// A wrapped key carries its own integrity check. Key wrap has no nonce, so wrapping a key twice
/// gives the same bytes. It has no context either: bind a key to its place with the context of the
/// data that the key seals.
public struct WrappingKey: ~Copyable, Sendable {
  /// The number of bytes by which a wrapped key is longer than the key.
  public static let overhead = 8

  private let bytes: SecretBytes

  /// Creates a wrapping key from 32 secret bytes.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not have 32 bytes.
  public init(_ bytes: consuming SecretBytes) throws {
    guard bytes.count == 32 else {
      throw AtRestError.invalid(
        "A wrapping key has 32 bytes, not \(bytes.count).",
        remedy: "Derive a key of 32 bytes or generate a random one.")
    }
    self.bytes = bytes
  }

  /// Wraps a key of 16, 24, 32 … bytes.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the size is below 16 bytes or is not a
  ///   multiple of 8.
  public borrowing func wrap(_ key: borrowing SecretBytes) throws -> Data {
    guard key.count >= 16, key.count % 8 == 0 else {
      throw AtRestError.invalid(
        "A key of \(key.count) bytes cannot be wrapped.",
        remedy: "Use a key of 16 bytes or more, in multiples of 8 (RFC 3394).")
    }
    return try Remains.erased(after: []) {
      try KeyWrap.wrap(key.symmetricKey(), using: bytes.symmetricKey())
    }
  }

  /// Unwraps a key.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the wrapped key was modified or wrapped under
  ///   another key.
  public borrowing func unwrap(
    _ wrapped: some DataProtocol, name: String
  ) throws -> SecretBytes {
    try Remains.erased(after: []) {
      do {
        return SecretBytes(try KeyWrap.unwrap(wrapped, using: bytes.symmetricKey()))
      } catch {
        throw AtRestError.damaged(
          "\(name) does not unwrap: it was modified or wrapped under another key.")
      }
    }
  }
}
