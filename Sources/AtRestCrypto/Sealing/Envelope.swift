import CAtRestSystem
import Crypto
import Foundation

/// A secret sealed under a random key of its own (AES-256-GCM), which another key wraps (AES Key Wrap,
/// RFC 3394).
package struct Envelope {
  /// The key of the box, wrapped: 40 bytes.
  package var wrappedKey: Data
  /// nonce ‖ ciphertext ‖ tag.
  package var box: Data

  /// Seals a secret under a new key, bound to a context.
  package init(
    sealing secret: UnsafeRawBufferPointer, wrappedBy key: borrowing SecretBytes,
    context: [UInt8]
  ) throws {
    defer { Self.eraseRemains() }
    var random: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let boxKey = withUnsafeMutableBytes(of: &random) { bytes in
      RandomBytes.fill(bytes)
      defer { atrest_erase(bytes.baseAddress!, bytes.count) }
      return SymmetricKey(data: UnsafeRawBufferPointer(bytes))
    }
    wrappedKey = try AES.KeyWrap.wrap(boxKey, using: key.symmetricKey())
    box = try GCM.sealLeavingRemains(secret, key: boxKey, context: context)
  }

  /// Opens the envelope whose parts these are.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where a part, the context or the key is another.
  package static func open(
    wrappedKey: UnsafeRawBufferPointer, box: UnsafeRawBufferPointer,
    wrappedBy key: borrowing SecretBytes, context: [UInt8], name: @autoclosure () -> String
  ) throws -> SecretBytes {
    defer { eraseRemains() }
    let boxKey: SymmetricKey
    do {
      boxKey = try AES.KeyWrap.unwrap(wrappedKey, using: key.symmetricKey())
    } catch {
      throw AtRestError.damaged(
        "\(name()) does not open: its key was changed, or wrapped under another key.")
    }
    var plaintext = try GCM.openLeavingRemains(box, key: boxKey, context: context, name: name())
    return SecretBytes(moving: &plaintext)
  }

  private static func eraseRemains() {
    KeyWrap.eraseFreed(keyCount: 32)
    GCM.eraseRemains()
  }
}
