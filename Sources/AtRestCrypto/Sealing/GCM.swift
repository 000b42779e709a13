import CAtRestSystem
import Crypto
import Foundation

/// AES-256-GCM in the form that every box of AtRest has: nonce ‖ ciphertext ‖ tag.
///
/// Takes concrete types, because generic calls are not specialised across modules.
package enum GCM {
  /// The size of swift-crypto's AEAD context as an object: 16 bytes of header and BoringSSL's
  /// `EVP_AEAD_CTX`. It holds the key schedule, which begins with the key, and is freed as it is.
  private static let contextSize = 592

  /// Erases the key schedule, wherever the compiler put it.
  static func eraseRemains() {
    atrest_erase_freed(contextSize)
    atrest_erase_stack_of_call()
  }

  /// Seals bytes under a random nonce, bound to a context.
  package static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    defer { eraseRemains() }
    return try sealLeavingRemains(plaintext, key: key, context: context)
  }

  /// Seals bytes under a random nonce, bound to a context.
  package static func seal(
    _ plaintext: [UInt8], key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    try plaintext.withUnsafeBytes { try seal($0, key: key, context: context) }
  }

  /// Opens a box.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where the box, its context or the key is another.
  package static func open(
    _ box: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8],
    name: @autoclosure () -> String
  ) throws -> Data {
    defer { eraseRemains() }
    return try openLeavingRemains(box, key: key, context: context, name: name())
  }

  /// A random nonce by one system call; swift-crypto's own makes one for every 8 bytes.
  static func nonce() throws -> AES.GCM.Nonce {
    var random: (UInt64, UInt32) = (0, 0)
    return try withUnsafeMutableBytes(of: &random) { bytes in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<12])
      RandomBytes.fill(bytes)
      return try AES.GCM.Nonce(data: UnsafeRawBufferPointer(bytes))
    }
  }

  // MARK: For callers that erase the remains themselves

  static func sealLeavingRemains(
    _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8]
  ) throws -> Data {
    let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce(), authenticating: context)
    // `combined` is nil for nonces of other sizes only.
    return box.combined ?? Data()
  }

  static func openLeavingRemains(
    _ box: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8],
    name: @autoclosure () -> String
  ) throws -> Data {
    do {
      return try AES.GCM.open(
        AES.GCM.SealedBox(combined: box), using: key, authenticating: context)
    } catch {
      throw AtRestError.damaged(
        "\(name()) does not open: it was changed, moved, or sealed under another key.")
    }
  }
}
