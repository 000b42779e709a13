import Crypto
import Foundation

/// AES Key Wrap, RFC 3394, without the copies that swift-crypto leaves behind.
package enum KeyWrap {
  package static func unwrap(
    _ wrapped: some DataProtocol, using key: SymmetricKey
  ) throws -> SymmetricKey {
    // swift-crypto unwraps into an array, which it frees without erasing. The array takes a header
    // of 32 bytes plus the size of the wrapped key.
    try Remains.erased(after: .cipher, freed: 32 + wrapped.count) {
      try AES.KeyWrap.unwrap(wrapped, using: key)
    }
  }

  package static func wrap(_ key: SymmetricKey, using wrapping: SymmetricKey) throws -> Data {
    try Remains.erased(after: .cipher) { try AES.KeyWrap.wrap(key, using: wrapping) }
  }
}
