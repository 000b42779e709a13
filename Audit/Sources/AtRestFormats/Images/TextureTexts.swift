/// The metadata of a texture: the pairs of keys and values in KTX 1 and 2, and the chunks that Apple's
/// systems add to their snapshots of apps.
enum TextureTexts {
  /// The maximum size of the metadata in bytes.
  private static let sizeLimit = 1 << 20
  private static let chunkLimit = 1000

  static func read(
    _ source: ByteSource, _ each: (String, [UInt8]) -> Void
  ) throws(FormatError) {
    let head = try source.prefix(68)
    if head.has("AAPL", at: 0) { return try chunks(source, each) }
    let isSecond = head.has("KTX 2", at: 1)
    let isBig = !isSecond && head.bigEndian(at: 12, size: 1) == 4
    let place = isSecond ? head.littleEndian(at: 56, size: 4) : 64
    let size =
      isBig ? head.bigEndian(at: 60, size: 4) : head.littleEndian(at: 60, size: 4)
    guard let place, let size, size <= sizeLimit, place <= source.count,
      size <= source.count - place
    else { return }
    let bytes = try source.read(place..<place + size)
    var offset = 0
    while let count = isBig
      ? bytes.bigEndian(at: offset, size: 4) : bytes.littleEndian(at: offset, size: 4),
      count > 0, count <= bytes.count - offset - 4
    {
      let pair = bytes[offset + 4..<offset + 4 + count]
      if let end = pair.firstIndex(of: 0) {
        let value = pair[(end + 1)...]
        each(
          String(decoding: pair[..<end], as: UTF8.self),
          Array(value.last == 0 ? value.dropLast() : value))
      }
      offset += 4 + (count + 3) & ~3
    }
  }

  /// Reads the chunks that contain text or a property list. The others are pixels.
  private static func chunks(
    _ source: ByteSource, _ each: (String, [UInt8]) -> Void
  ) throws(FormatError) {
    var window = ByteWindow(source)
    var offset = 8
    for _ in 0..<chunkLimit where offset + 8 <= source.count {
      let head = try window.read(at: offset, count: 8)
      guard let size = head.littleEndian(at: 0, size: 4), size <= source.count - offset - 8 else {
        return
      }
      if size <= sizeLimit, !head.has("HEAD", at: 4) {
        let bytes = try window.read(at: offset + 8, count: size)
        let type = FileType.read(
          Array(bytes.prefix(FileType.headLength)), isWhole: size <= FileType.headLength)
        if [.text, .json, .binaryPropertyList, .xmlPropertyList].contains(type) {
          each(String(decoding: head[4..<8], as: UTF8.self), bytes)
        }
      }
      offset += 8 + size
    }
  }
}
