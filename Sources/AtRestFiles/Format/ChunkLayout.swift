import AtRestCrypto

/// The positions of the chunks in a file, and the conversion between the size of the contents and
/// the position at which the chunks end.
struct ChunkLayout: Sendable, Equatable {
  /// The header's size.
  let start: UInt64
  let chunkSize: UInt64
  var sealedSize: UInt64 { chunkSize + UInt64(ChunkCipher.overhead) }

  init(_ header: FileHeader) {
    start = UInt64(header.count)
    chunkSize = UInt64(header.chunkSize)
  }

  /// Returns the last chunk of contents with the given size. Empty contents have one empty chunk.
  func lastChunk(size: UInt64) -> UInt64 { size == 0 ? 0 : (size - 1) / chunkSize }

  func chunk(at offset: UInt64) -> UInt64 { offset / chunkSize }

  /// Returns the position at which a chunk begins in the file.
  func position(of chunk: UInt64) -> UInt64 { start + chunk * sealedSize }

  /// Returns the number of plaintext bytes in a chunk.
  func count(of chunk: UInt64, size: UInt64) -> Int {
    let begin = chunk * chunkSize
    return size <= begin ? 0 : Int(min(chunkSize, size - begin))
  }

  /// Returns the position at which the chunks end.
  func end(size: UInt64) -> UInt64 {
    let last = lastChunk(size: size)
    return position(of: last) + UInt64(count(of: last, size: size) + ChunkCipher.overhead)
  }

  /// Returns the size of the contents, given the position at which the chunks end.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if chunks cannot end at that position.
  func size(end: UInt64, name: String) throws -> UInt64 {
    let overhead = UInt64(ChunkCipher.overhead)
    guard end >= start + overhead else { throw Self.cutOff(name, at: end) }
    let sealed = end - start
    let (full, rest) = sealed.quotientAndRemainder(dividingBy: sealedSize)
    if rest == 0 { return full * chunkSize }
    // An empty chunk occurs only in an empty file.
    guard rest > overhead || (rest == overhead && full == 0) else {
      throw Self.cutOff(name, at: end)
    }
    return full * chunkSize + rest - overhead
  }

  private static func cutOff(_ name: String, at end: UInt64) -> AtRestError {
    .damaged("\(name) was cut off or extended: its contents end at offset \(end), inside a chunk.")
  }
}
