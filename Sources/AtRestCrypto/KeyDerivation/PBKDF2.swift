import Crypto
import CryptoExtras
import Foundation

/// PBKDF2, RFC 8018, without the copy of the key that swift-crypto leaves behind (of a key of up to 800
/// bytes).
package enum PBKDF2 {
  package typealias Function = KDF.Insecure.PBKDF2.HashFunction

  /// Derives a key, with any number of rounds. ``PasswordKDF`` has the costs for new data.
  ///
  /// - Parameter count: The size of the key, in bytes.
  /// - Throws: The error of swift-crypto.
  package static func key(
    from password: UnsafeRawBufferPointer, salt: Data, _ function: Function, rounds: Int, count: Int
  ) throws -> SymmetricKey {
    try Remains.erased(afterDeriving: count) {
      try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt, using: function, outputByteCount: count,
        unsafeUncheckedRounds: rounds)
    }
  }
}
