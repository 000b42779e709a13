import Foundation

/// The bytes of a write-ahead log (<https://sqlite.org/fileformat2.html#walformat>), which a test can
/// change as somebody without the key would: its checksums are not secret.
struct LogFile {
  private(set) var header: [UInt8]
  var frames: [[UInt8]]
  private let pageSize: Int

  init(_ url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    guard bytes.count > 32 else { throw CocoaError(.fileReadCorruptFile) }
    header = Array(bytes[..<32])
    pageSize = Int(Self.word(header[...], 8))
    let size = 24 + pageSize
    frames = stride(from: 32, through: bytes.count - size, by: size).map {
      Array(bytes[$0..<$0 + size])
    }
  }

  var bytes: Data { Data(header + frames.joined()) }

  /// The number of the page in a frame.
  func page(of frame: Int) -> UInt32 { Self.word(frames[frame][...], 0) }

  /// Sets the order of bytes in which checksums are computed.
  mutating func setBigEndian(_ isBig: Bool) {
    header[3] = isBig ? 0x83 : 0x82
    adaptSums()
  }

  /// Computes all checksums again.
  mutating func adaptSums() {
    let isBig = header[3] & 1 == 1
    var sum: (UInt32, UInt32) = (0, 0)
    Self.add(header[..<24], to: &sum, isBig)
    Self.put(sum, into: &header, at: 24)
    for index in frames.indices {
      frames[index].replaceSubrange(8..<16, with: header[16..<24])
      Self.add(frames[index][..<8], to: &sum, isBig)
      Self.add(frames[index][24...], to: &sum, isBig)
      Self.put(sum, into: &frames[index], at: 16)
    }
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, to sum: inout (UInt32, UInt32), _ isBig: Bool
  ) {
    for offset in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      sum.0 &+= word(bytes, offset, isBig) &+ sum.1
      sum.1 &+= word(bytes, offset + 4, isBig) &+ sum.0
    }
  }

  private static func word(
    _ bytes: ArraySlice<UInt8>, _ offset: Int, _ isBig: Bool = true
  ) -> UInt32 {
    let value = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    return isBig ? value : value.byteSwapped
  }

  private static func put(_ sum: (UInt32, UInt32), into bytes: inout [UInt8], at offset: Int) {
    for (index, word) in [sum.0, sum.1].enumerated() {
      for byte in 0..<4 {
        bytes[offset + 4 * index + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte))
      }
    }
  }
}
