import Crypto
import Foundation

/// AES-256-GCM in the layout that all sealed boxes of AtRest have: nonce ‖ ciphertext ‖ tag.
///
/// The parameters are concrete types, because generic functions are not specialised across modules.
package enum GCM {
  /// Seals bytes under a random nonce, bound to a context.
  package static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    try Remains.erased(after: .gcm) {
      let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce(), authenticating: context)
      // `combined` is nil only for nonces of other sizes.
      return box.combined ?? Data()
    }
  }

  /// Seals bytes under a random nonce, bound to a context.
  package static func seal(
    _ plaintext: [UInt8], key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    try plaintext.withUnsafeBytes { try seal($0, key: key, context: context) }
  }

  /// Opens a sealed box.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the box or its context was modified, or the key is
  ///   wrong.
  package static func open(
    _ box: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8],
    name: @autoclosure () -> String
  ) throws -> Data {
    try Remains.erased(after: .gcm) {
      do {
        return try AES.GCM.open(
          AES.GCM.SealedBox(combined: box), using: key, authenticating: context)
      } catch {
        throw AtRestError.damaged(
          "\(name()) does not open: it was modified, moved or sealed under another key.")
      }
    }
  }

  /// Returns a random nonce of 12 bytes with one system call. swift-crypto would make a call for
  /// every 8 bytes.
  static func nonce() throws -> AES.GCM.Nonce {
    var random: (UInt64, UInt32) = (0, 0)
    return try withUnsafeMutableBytes(of: &random) { bytes in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<12])
      RandomBytes.fill(bytes)
      return try AES.GCM.Nonce(data: UnsafeRawBufferPointer(bytes))
    }
  }
}
