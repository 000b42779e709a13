import AtRestCrypto
import Foundation

extension SecretBytes {
  /// Returns a pseudorandom function of these bytes, which are a device key, and an input of any
  /// length.
  ///
  /// The input is the salt of HKDF. HMAC treats salts that differ only in trailing zeros as the
  /// same, and a long salt as its hash. The input's length therefore enters the derivation as well.
  borrowing func tangle(_ input: borrowing SecretBytes, _ purpose: Purpose) -> SecretBytes {
    let length = Swift.withUnsafeBytes(of: UInt64(input.count).bigEndian) { Data($0) }
    return input.withUnsafeBytes { derive(purpose, salt: $0, context: length) }
  }
}
