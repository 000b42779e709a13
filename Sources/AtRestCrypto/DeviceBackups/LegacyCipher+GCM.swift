import Crypto
import CryptoExtras
import Foundation

extension LegacyCipher {
  /// Opens AES-256-GCM with an empty nonce, which Apple's keychain uses to seal each item under its
  /// own key.
  ///
  /// The first counter block for an empty nonce is all zeros. swift-crypto accepts no nonce below
  /// 12 bytes, so this function uses its GCM with a nonce of 12 zeros, whose first block ends in 1.
  /// The hash over the ciphertext is the same; only the mask over the tag and the counter differ.
  ///
  /// - Returns: The plaintext, or nil if the tag is wrong.
  static func openWithoutNonce(_ sealed: Data, key: borrowing SecretBytes) throws -> Data? {
    guard sealed.count > tagSize else { return nil }
    return try Remains.erased(after: [.cipher, .gcm]) {
      let key = key.symmetricKey()
      let ciphertext = sealed.prefix(sealed.count - tagSize)
      // atrest:ignore static-iv the empty nonce of the format, whose keys are used once
      let zero = [UInt8](repeating: 0, count: blockSize)
      let one = zero.dropLast() + [1]
      let nonce = try AES.GCM.Nonce(data: zero.prefix(12))
      // Sealing twice restores the input, and gives the tag of a message with this ciphertext.
      let twin = try AES.GCM.seal(
        AES.GCM.seal(ciphertext, using: key, nonce: nonce).ciphertext, using: key, nonce: nonce)
      var maskOfTwin = one
      var mask = zero
      try AES.permute(&maskOfTwin, key: key)
      try AES.permute(&mask, key: key)
      let tag = zip(twin.tag, zip(mask, maskOfTwin)).map { $0 ^ $1.0 ^ $1.1 }
      let isRight = tag.withUnsafeBytes { tag in
        sealed.suffix(tagSize).withUnsafeBytes { constantTimeEqual(tag, $0) }
      }
      guard isRight else { return nil }
      return try AES._CTR.decrypt(ciphertext, using: key, nonce: AES._CTR.Nonce(nonceBytes: one))
    }
  }

  private static let tagSize = 16
}
