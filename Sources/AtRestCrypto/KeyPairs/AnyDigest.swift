import Crypto
import Foundation

/// A digest from any hash function, in the form that ECDSA signs.
struct AnyDigest: Digest {
  let bytes: Data

  static var byteCount: Int { 0 }
  var description: String { "digest of \(bytes.count) bytes" }
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
  }
}
