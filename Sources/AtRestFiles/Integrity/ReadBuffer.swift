import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// A buffer of 1 MiB that is reused for all reads.
final class ReadBuffer {
  static let count = 1 << 20
  let start = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 4096)
  deinit { start.deallocate() }
}
