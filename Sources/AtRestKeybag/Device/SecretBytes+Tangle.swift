import AtRestCrypto
import Foundation

extension SecretBytes {
  /// Returns a pseudorandom function, 32 bytes, of these bytes (a device key) and an input of any
  /// length.
  ///
  /// The input is the HKDF salt. HMAC does not distinguish salts that differ only in trailing
  /// zeros, nor a long salt from its hash. The length of the input is therefore part of the
  /// derivation.
  borrowing func tangle(_ input: borrowing SecretBytes, _ purpose: Purpose) -> SecretBytes {
    let length = Swift.withUnsafeBytes(of: UInt64(input.count).bigEndian) { Data($0) }
    return input.withUnsafeBytes { derive(purpose, salt: $0, context: length) }
  }
}
