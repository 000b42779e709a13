import Crypto
import Foundation

/// A hash function that an existing protocol may require, including SHA-1.
package enum DigestFunction: Hashable, Sendable, CaseIterable {
  case sha1, sha256, sha384, sha512

  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  package func hash(_ message: Data) -> Data {
    switch self {
    case .sha1: Data(Insecure.SHA1.hash(data: message))
    case .sha256: Data(SHA256.hash(data: message))
    case .sha384: Data(SHA384.hash(data: message))
    case .sha512: Data(SHA512.hash(data: message))
    }
  }

  /// Returns the bytes as a swift-crypto digest, or nil if their count is wrong. RSA takes the hash
  /// function from the type of the digest.
  func digest(of bytes: Data) -> (any Digest)? {
    switch self {
    case .sha1: Self.digest(Insecure.SHA1.Digest.self, bytes)
    case .sha256: Self.digest(SHA256.Digest.self, bytes)
    case .sha384: Self.digest(SHA384.Digest.self, bytes)
    case .sha512: Self.digest(SHA512.Digest.self, bytes)
    }
  }

  // swift-crypto offers no way to create a digest except hashing. This function relies on the
  // memory layout of its digests, plain bytes in words of 8, and checks it.
  private static func digest<Result: Digest>(_: Result.Type, _ bytes: Data) -> Result? {
    let layout = MemoryLayout<Result>.self
    guard bytes.count == Result.byteCount, layout.size >= bytes.count, _isPOD(Result.self) else {
      return nil
    }
    let digest = withUnsafeTemporaryAllocation(
      byteCount: layout.stride, alignment: layout.alignment
    ) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      memory.copyBytes(from: bytes)
      return memory.load(as: Result.self)
    }
    return digest.elementsEqual(bytes) ? digest : nil
  }
}
