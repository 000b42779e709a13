import AtRestCrypto
import Crypto
import Foundation

/// The keys that seal the nodes, changes and root of the index, or the terms of the items. There is
/// one key for each 65,536 transactions, so no key seals so many boxes that random nonces could
/// collide.
final class IndexKeys {
  private let root: SecretBox
  private let purpose: Purpose
  private var cached: (epoch: UInt64, key: SecretBox)?

  init(_ root: SecretBox, for purpose: Purpose) {
    self.root = root
    self.purpose = purpose
  }

  /// Returns the epoch of a transaction: the number that selects its key. The epoch also selects
  /// the key that seals an item's metadata.
  static func epoch(of generation: UInt64) -> UInt64 { generation >> 16 }

  private func key(_ generation: UInt64) -> SymmetricKey {
    let epoch = Self.epoch(of: generation)
    if let cached, cached.epoch == epoch { return cached.key.bytes.symmetricKey() }
    let key = SecretBox(root.bytes.derive(purpose, context: epoch.contextBytes))
    cached = (epoch, key)
    return key.bytes.symmetricKey()
  }

  func seal(_ words: [UInt64], _ generation: UInt64, _ context: [UInt8]) throws -> Data {
    // A loop over buffers is fast: a node has hundreds of words, and a merge writes thousands of
    // nodes.
    let bytes = [UInt8](unsafeUninitializedCapacity: words.count * 8) { bytes, count in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      for index in words.indices {
        raw.storeBytes(of: words[index].bigEndian, toByteOffset: index * 8, as: UInt64.self)
      }
      count = words.count * 8
    }
    return try GCM.seal(bytes, key: key(generation), context: context)
  }

  func open(
    _ box: UnsafeRawBufferPointer, _ generation: UInt64, _ context: [UInt8],
    name: String = "A box"
  ) throws -> [UInt64] {
    let bytes = try GCM.open(box, key: key(generation), context: context, name: name)
    return bytes.withUnsafeBytes { bytes in
      [UInt64](unsafeUninitializedCapacity: bytes.count / 8) { words, count in
        count = bytes.count / 8
        for index in 0..<count {
          let word = bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
          words.initializeElement(at: index, to: UInt64(bigEndian: word))
        }
      }
    }
  }
}

extension UInt64 {
  /// Eight bytes, big-endian, for the context of a derivation.
  var contextBytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
}
