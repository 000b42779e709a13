import AtRestFormats

/// Finds compressed streams at any place, by their first bytes.
struct PackedRuns {
  /// The minimum number of bytes that each attempt to unpack takes from the limit.
  private static let cost = 1 << 16
  /// The minimum number of bytes that a damaged zlib stream must unpack to. Fewer are a
  /// coincidence.
  private static let certainLength = 1024

  /// The maximum size of a chunk that the readers deliver, in bytes.
  private static let chunkSize = 1 << 18

  private(set) var runs: [EncodedRun] = []
  private(set) var isComplete = true
  private let text: UnsafeBufferPointer<UInt8>
  private var budget: Int
  private var source: ByteSource?

  init(_ text: UnsafeBufferPointer<UInt8>, limit: Int) {
    self.text = text
    budget = limit
  }

  mutating func search() {
    // Compressed data contains bytes that are no text.
    guard !ASCII.isPrintableText(text) else { return }
    headless()
    var place = 0
    while place &+ 8 <= text.count {
      guard let encoding = encoding(at: place) else {
        place &+= 1
        continue
      }
      guard budget > 0 else {
        isComplete = false
        return
      }
      place = unpack(encoding, at: place) ?? place + 1
    }
  }

  /// Unpacks all the bytes, if they are one stream without a magic number.
  private mutating func headless() {
    // Text is not compressed.
    guard text.prefix(16).contains(where: { $0 < 9 || $0 > 0x7E }),
      let (encoding, bytes) = HeadlessStream.unpack(Array(text)[...], limit: budget)
    else { return }
    budget -= max(bytes.count, Self.cost)
    runs.append(EncodedRun(range: 0..<text.count, encoding: encoding, bytes: bytes))
  }

  private func encoding(at place: Int) -> String? {
    switch (text[place], text[place &+ 1]) {
    case (0x1F, 0x8B) where text[place &+ 2] == 8 && text[place &+ 3] & 0xE0 == 0: "gzip"
    // Deflate has no block type 3.
    case (0x78, 0x01), (0x78, 0x5E), (0x78, 0x9C), (0x78, 0xDA):
      text[place &+ 2] & 6 == 6 ? nil : "zlib"
    case (0x42, 0x5A) where text[place &+ 2] == 0x68 && text[place &+ 4] == 0x31: "bzip2"
    case (0xFD, 0x37) where text[place &+ 2] == 0x7A && text[place &+ 3] == 0x58: "xz"
    case (0x28, 0xB5) where text[place &+ 2] == 0x2F && text[place &+ 3] == 0xFD: "zstd"
    case (0x5D, 0x00)
    where FileType.isLZMA(text[place..<min(text.count, place &+ 14)]): "lzma"
    case (0x04, 0x22) where text[place &+ 2] == 0x4D && text[place &+ 3] == 0x18: "lz4"
    case (0x62, 0x76) where text[place &+ 2] == 0x34 && [0x31, 0x2D].contains(text[place &+ 3]):
      "apple-lz4"
    case (0x62, 0x76)
    where text[place &+ 2] == 0x78 && [0x2D, 0x31, 0x32, 0x6E].contains(text[place &+ 3]): "lzfse"
    default: nil
    }
  }

  /// Unpacks a stream. Returns its end, or nil if it is not a complete stream.
  private mutating func unpack(_ encoding: String, at place: Int) -> Int? {
    var bytes: [UInt8] = []
    var end = text.count
    var isWhole = true
    let limit = budget
    do {
      switch encoding {
      case "gzip", "zlib":
        let whole = source ?? ByteSource(Array(text))
        source = whole
        end = try Inflate.read(
          whole, in: place..<text.count, as: encoding == "gzip" ? .gzip : .zlib, limit: limit
        ) { bytes += $0 }
      case "bzip2", "xz", "zstd", "lzma":
        guard let format = PackedStream.Format(rawValue: encoding) else { return nil }
        let whole = source ?? ByteSource(Array(text))
        source = whole
        end = try PackedStream.read(
          whole, in: place..<text.count, as: format, limit: limit
        ) { bytes += $0 }
      default:
        budget -= text.count - place
        let rest = ByteSource(Array(text[place...]))
        if encoding == "lz4" {
          try LZ4Frame.read(rest, limit: limit) { bytes += $0 }
        } else {
          end = place + (try AppleBlocks.read(rest, limit: limit) { bytes += $0 })
        }
      }
    } catch {
      isWhole = false
    }
    budget -= max(bytes.count, Self.cost)
    // The chunk that exceeds the limit is not delivered.
    if !isWhole, budget <= 0 || bytes.count + Self.chunkSize > limit { isComplete = false }
    guard !bytes.isEmpty, isWhole || encoding != "zlib" || bytes.count >= Self.certainLength else {
      return nil
    }
    // The end of a damaged stream is unknown, so the bytes after its head are searched too.
    runs.append(
      EncodedRun(
        range: place..<end, encoding: encoding == "apple-lz4" ? "lz4" : encoding, bytes: bytes))
    return isWhole ? end : nil
  }
}
