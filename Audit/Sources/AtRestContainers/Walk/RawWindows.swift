import AtRestFormats
import Crypto

/// Splits a stream of chunks into overlapping windows.
struct RawWindows {
  private var bytes: [UInt8] = []
  private var offset = 0
  private var hash: SHA256?
  /// The type of the stream according to its first bytes.
  private(set) var type: FileType?

  init(hashes: Bool) {
    hash = hashes ? SHA256() : nil
    bytes.reserveCapacity(WalkLimits.windowBytes)
  }

  /// Adds a chunk, and calls `each` with each full window and its offset.
  mutating func add(_ chunk: [UInt8], _ each: ([UInt8], Int) -> Void) {
    chunk.withUnsafeBytes { hash?.update(bufferPointer: $0) }
    var rest = chunk[...]
    while !rest.isEmpty {
      let part = rest.prefix(WalkLimits.windowBytes - bytes.count)
      bytes += part
      rest = rest.dropFirst(part.count)
      if type == nil, bytes.count >= FileType.headLength {
        type = FileType.read(Array(bytes.prefix(FileType.headLength)))
      }
      guard bytes.count == WalkLimits.windowBytes else { continue }
      each(bytes, offset)
      offset += bytes.count - WalkLimits.windowOverlap
      bytes = Array(bytes.suffix(WalkLimits.windowOverlap))
    }
  }

  /// The last bytes, which do not fill a window, or nil if there are none.
  var rest: (bytes: [UInt8], offset: Int)? {
    offset > 0 && bytes.count <= WalkLimits.windowOverlap ? nil : (bytes, offset)
  }

  /// The SHA-256 of all chunks.
  var digest: [UInt8]? { hash.map { Array($0.finalize()) } }
}
