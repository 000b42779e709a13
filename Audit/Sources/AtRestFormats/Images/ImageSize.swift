/// The size of an image: a PNG, a JPEG, or a texture in which the system keeps snapshots of apps.
package struct ImageSize: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  package let height: Int

  /// The maximum number of segments or chunks that are read to find the size.
  private static let segmentLimit = 10_000

  /// Reads the size from an image's header.
  ///
  /// - Throws: ``FormatError`` if the image is of another type, its header is damaged, or it cannot
  ///   be read.
  package init(_ source: ByteSource) throws(FormatError) {
    let head = try source.prefix(64)
    let size: (Int, Int)?
    switch FileType.media(head) {
    case .png: size = Self.png(head)
    case .jpeg: size = try Self.jpeg(source)
    case .ktx: size = try Self.texture(head, source)
    default: throw FormatError("The type of the image is unknown.", offset: 0)
    }
    guard let (width, height) = size else {
      throw FormatError("The header of the image is damaged.", offset: 0)
    }
    self.width = width
    self.height = height
  }

  private static func png(_ head: [UInt8]) -> (Int, Int)? {
    // Apple's optimised PNG begins with an additional chunk.
    let place = head.has("CgBI", at: 12) ? 28 : 12
    guard head.has("IHDR", at: place), let width = head.bigEndian(at: place + 4, size: 4),
      let height = head.bigEndian(at: place + 8, size: 4)
    else { return nil }
    return (width, height)
  }

  /// Reads the size from the first segment that begins a frame.
  private static func jpeg(_ source: ByteSource) throws(FormatError) -> (Int, Int)? {
    var window = ByteWindow(source)
    var offset = 2
    for _ in 0..<segmentLimit {
      let head = try window.read(at: offset, count: 4)
      guard head[0] == 0xFF else { return nil }
      switch head[1] {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(head[1]):
        let frame = try window.read(at: offset, count: 9)
        guard let height = frame.bigEndian(at: 5, size: 2),
          let width = frame.bigEndian(at: 7, size: 2)
        else { return nil }
        return (width, height)
      default:
        guard let size = head.bigEndian(at: 2, size: 2), size >= 2 else { return nil }
        offset += 2 + size
      }
    }
    return nil
  }

  /// Reads the size from KTX 1, KTX 2, or the chunks that Apple's systems write under the same
  /// name.
  private static func texture(
    _ head: [UInt8], _ source: ByteSource
  ) throws(FormatError) -> (Int, Int)? {
    func pair(_ offset: Int, isBig: Bool = false) -> (Int, Int)? {
      let width =
        isBig ? head.bigEndian(at: offset, size: 4) : head.littleEndian(at: offset, size: 4)
      let height =
        isBig ? head.bigEndian(at: offset + 4, size: 4) : head.littleEndian(at: offset + 4, size: 4)
      guard let width, let height else { return nil }
      return (width, height)
    }
    if head.has("KTX 1", at: 1) { return pair(36, isBig: head.bigEndian(at: 12, size: 1) == 4) }
    if head.has("KTX 2", at: 1) { return pair(20) }
    var window = ByteWindow(source)
    var offset = 8
    for _ in 0..<segmentLimit {
      let chunk = try window.read(at: offset, count: 8)
      guard let size = chunk.littleEndian(at: 0, size: 4) else { return nil }
      if chunk.has("HEAD", at: 4) {
        let content = try window.read(at: offset + 8, count: 32)
        guard let width = content.littleEndian(at: 24, size: 4),
          let height = content.littleEndian(at: 28, size: 4)
        else { return nil }
        return (width, height)
      }
      offset += 8 + size
    }
    return nil
  }
}
