import Foundation

/// A hash of a set of pages: the sum of a keyed hash of each, modulo 2^256 (MSet-Add-Hash; Clarke,
/// Devadas, van Dijk, Gassend, Suh 2003). Pages are added and removed without knowing the others.
struct PageSetHash: Equatable {
  /// The words of the sum, the least significant one first.
  private var words: [4 of UInt64] = [0, 0, 0, 0]

  static let size = 32

  init() {}

  /// Reads 32 bytes, the least significant one first.
  init(_ bytes: UnsafeRawBufferPointer) {
    for word in 0..<4 {
      words[word] = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
    }
  }

  var data: Data {
    var data = Data()
    for word in 0..<4 {
      withUnsafeBytes(of: words[word].littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  static func == (left: PageSetHash, right: PageSetHash) -> Bool { left.data == right.data }

  mutating func add(_ other: PageSetHash) {
    var carry = false
    for word in 0..<4 {
      let (sum, first) = words[word].addingReportingOverflow(other.words[word])
      let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
      words[word] = total
      carry = first || second
    }
  }

  mutating func remove(_ other: PageSetHash) {
    var borrow = false
    for word in 0..<4 {
      let (rest, first) = words[word].subtractingReportingOverflow(other.words[word])
      let (total, second) = rest.subtractingReportingOverflow(borrow ? 1 : 0)
      words[word] = total
      borrow = first || second
    }
  }
}
