import AtRestCrypto
import Foundation

extension SecretBytes {
  /// A pseudorandom function of a device key, which these bytes are, and an input of any length.
  ///
  /// The input is the salt of HKDF. HMAC takes salts for the same that differ in zeros at their end, and
  /// a long one for its hash, so the input's length is derived from as well.
  borrowing func tangle(_ input: borrowing SecretBytes, _ purpose: Purpose) -> SecretBytes {
    let length = Swift.withUnsafeBytes(of: UInt64(input.count).bigEndian) { Data($0) }
    return input.withUnsafeBytes { derive(purpose, salt: $0, context: length) }
  }
}
