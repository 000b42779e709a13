import AtRestFormats
import Crypto
import CryptoExtras

/// Bytes that are encrypted with AES in CBC mode and padded as in PKCS #7.
///
/// A value type: safe to use from any thread.
struct PaddedCBC: Sendable {
  static let blockSize = 16

  private let source: ByteSource
  /// The encrypted bytes.
  private let range: Range<Int>
  /// The first and the last block, and the one before it if there is one.
  private let ends: (first: [UInt8], beforeLast: [UInt8]?, last: [UInt8])

  /// Prepares a range of whole blocks, at least one.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  init(_ source: ByteSource, _ range: Range<Int>) throws(FormatError) {
    self.source = source
    self.range = range
    let size = Self.blockSize
    let end = try source.read(max(range.lowerBound, range.upperBound - 2 * size)..<range.upperBound)
    ends = (
      try source.read(range.lowerBound..<range.lowerBound + size),
      end.count > size ? Array(end.prefix(size)) : nil, Array(end.suffix(size))
    )
  }

  /// The size of the padding in bytes, or nil if the last block does not end in padding. One of 256 wrong keys passes.
  func padding(_ key: SymmetricKey, _ iv: [UInt8]) throws -> Int? {
    var block = ends.last
    try AES.inversePermute(&block, key: key)
    let previous = ends.beforeLast ?? iv
    let count = Int(block[Self.blockSize - 1] ^ previous[Self.blockSize - 1])
    guard (1...Self.blockSize).contains(count) else { return nil }
    for index in Self.blockSize - count..<Self.blockSize
    where Int(block[index] ^ previous[index]) != count {
      return nil
    }
    return count
  }

  /// The contents, which are decrypted when they are read.
  func plaintext(_ key: SymmetricKey, _ iv: [UInt8], padding: Int) -> ByteSource {
    let (source, base, size) = (source, range.lowerBound, Self.blockSize)
    return ByteSource(count: range.count - padding) { wanted throws(FormatError) in
      if wanted.isEmpty { return [] }
      let first = wanted.lowerBound / size
      let last = (wanted.upperBound - 1) / size
      let start = base + first * size
      let bytes = try source.read((first == 0 ? start : start - size)..<base + (last + 1) * size)
      do {
        let previous = first == 0 ? iv : Array(bytes.prefix(size))
        let plaintext = try AES._CBC.decrypt(
          bytes.dropFirst(first == 0 ? 0 : size), using: key, iv: AES._CBC.IV(ivBytes: previous),
          noPadding: true)
        return Array(plaintext.dropFirst(wanted.lowerBound - first * size).prefix(wanted.count))
      } catch {
        throw FormatError("The file cannot be decrypted: \(error)")
      }
    }
  }

  /// The number of first bytes that are looked at to recognise the contents.
  private static let headSize = 4096

  /// Decrypts the contents if they prove that the key is right.
  func proved(_ key: SymmetricKey, _ iv: [UInt8]) throws -> ByteSource? {
    guard let padding = try padding(key, iv) else { return nil }
    let plaintext = plaintext(key, iv, padding: padding)
    let head = try plaintext.prefix(Self.headSize)
    let bits =
      8 * Double(padding) + PlaintextEvidence.bits(head, isWhole: head.count == plaintext.count)
    return bits >= PlaintextEvidence.needed ? plaintext : nil
  }
}
