import CAtRestSystem
import Crypto
import Foundation

/// A secret sealed under its own random key (AES-256-GCM), which is wrapped by another key (AES Key
/// Wrap, RFC 3394).
package struct SealedSecret {
  /// The wrapped key of the box: 40 bytes.
  package var wrappedKey: Data
  /// The sealed secret: nonce ‖ ciphertext ‖ tag.
  package var box: Data

  /// Seals a secret under a new key, bound to a context.
  package init(
    sealing secret: UnsafeRawBufferPointer, wrappedBy key: borrowing SecretBytes,
    context: [UInt8]
  ) throws {
    (wrappedKey, box) = try Remains.erased(after: []) {
      var random: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      let boxKey = withUnsafeMutableBytes(of: &random) { bytes in
        RandomBytes.fill(bytes)
        defer { atrest_erase(bytes.baseAddress!, bytes.count) }
        return SymmetricKey(data: UnsafeRawBufferPointer(bytes))
      }
      return (
        try KeyWrap.wrap(boxKey, using: key.symmetricKey()),
        try GCM.seal(secret, key: boxKey, context: context)
      )
    }
  }

  /// Opens a sealed secret from its parts.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a part or the context was modified, or the key is
  ///   wrong.
  package static func open(
    wrappedKey: UnsafeRawBufferPointer, box: UnsafeRawBufferPointer,
    wrappedBy key: borrowing SecretBytes, context: [UInt8], name: @autoclosure () -> String
  ) throws -> SecretBytes {
    try Remains.erased(after: []) {
      let boxKey: SymmetricKey
      do {
        boxKey = try KeyWrap.unwrap(wrappedKey, using: key.symmetricKey())
      } catch {
        throw AtRestError.damaged(
          "\(name()) does not open: its key was modified or wrapped under another key.")
      }
      var plaintext = try GCM.open(box, key: boxKey, context: context, name: name())
      return SecretBytes(erasing: &plaintext)
    }
  }
}
