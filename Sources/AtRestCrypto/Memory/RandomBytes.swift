import CAtRestSystem
import Crypto
import Foundation

/// Random bytes from the system's generator.
public enum RandomBytes {
  /// Fills memory with random bytes.
  public static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      arc4random_buf(start, bytes.count)
    #else
      // The system returns at most 256 bytes per call.
      for offset in stride(from: 0, to: bytes.count, by: 256) {
        guard getentropy(start + offset, min(256, bytes.count - offset)) == 0 else {
          fatalError("The system gives no random bytes.")
        }
      }
    #endif
  }

  /// Returns random bytes that are not secret, such as salts and identifiers.
  public static func data(count: Int) -> Data {
    var data = Data(count: count)
    data.withUnsafeMutableBytes { fill($0) }
    return data
  }
}
