import AtRestCrypto

/// A keyed hash of 8 bytes for filters. Its keys are in locked memory, and in registers during a
/// search.
struct WindowHash {
  private let keys: (UInt64, UInt64, UInt64, UInt64)

  /// Reads the keys from 32 random bytes.
  init(_ key: SecretBox) {
    keys = key.bytes.withUnsafeBytes { bytes in
      func word(_ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)
      }
      return (word(0), word(1) | 1, word(2), word(3) | 1)
    }
  }

  @inline(__always)
  func callAsFunction(_ word: UInt64) -> UInt64 {
    var hash = (word ^ keys.0) &* keys.1
    hash = (hash ^ hash >> 32 ^ keys.2) &* keys.3
    return hash ^ hash >> 29
  }
}
