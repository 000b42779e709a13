/// The texts in the metadata of an image: text chunks of PNG, comments and XMP of JPEG, and the
/// strings of EXIF in both, and the metadata of textures.
package enum ImageTexts {
  private static let partLimit = 10_000
  /// The maximum size of a part in bytes. Larger ones are no metadata.
  private static let sizeLimit = 4 << 20

  /// Calls `each` with the name and the bytes of each text.
  ///
  /// - Throws: ``FormatError`` if the image cannot be read.
  package static func read(
    _ source: ByteSource, _ type: FileType, each: (String, [UInt8]) -> Void
  ) throws(FormatError) {
    switch type {
    case .png: try png(source, each)
    case .jpeg: try jpeg(source, each)
    case .ktx: try TextureTexts.read(source, each)
    default: break
    }
  }

  private static func png(
    _ source: ByteSource, _ each: (String, [UInt8]) -> Void
  ) throws(FormatError) {
    var offset = 8
    for _ in 0..<partLimit where offset + 12 <= source.count {
      let head = try source.read(offset..<offset + 8)
      guard let size = head.bigEndian(at: 0, size: 4), size <= source.count - offset - 12 else {
        return
      }
      let kind = String(decoding: head[4..<8], as: UTF8.self)
      if ["tEXt", "zTXt", "iTXt", "eXIf"].contains(kind), size <= sizeLimit {
        chunk(kind, try source.read(offset + 8..<offset + 8 + size), each)
      }
      offset += 12 + size
    }
  }

  private static func chunk(
    _ kind: String, _ bytes: [UInt8], _ each: (String, [UInt8]) -> Void
  ) {
    if kind == "eXIf" { return EXIF(bytes).read(each) }
    guard let end = bytes.firstIndex(of: 0) else { return }
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    var text = bytes[(end + 1)...]
    var isPacked = kind == "zTXt"
    if kind == "iTXt" {
      guard text.count >= 2 else { return }
      isPacked = text[text.startIndex] == 1
      // The method of compression, the language and the translated name precede the text.
      text = text.dropFirst(2)
      for _ in 0..<2 {
        guard let zero = text.firstIndex(of: 0) else { return }
        text = text[(zero + 1)...]
      }
    } else if isPacked {
      text = text.dropFirst()
    }
    guard isPacked else { return each(name, Array(text)) }
    if let bytes = try? Inflate.bytes(of: Array(text), as: .zlib, limit: sizeLimit) {
      each(name, bytes)
    }
  }

  private static func jpeg(
    _ source: ByteSource, _ each: (String, [UInt8]) -> Void
  ) throws(FormatError) {
    var offset = 2
    for _ in 0..<partLimit where offset + 4 <= source.count {
      let head = try source.read(offset..<offset + 4)
      // The image's data follows the start of a scan.
      guard head[0] == 0xFF, head[1] != 0xDA, let size = head.bigEndian(at: 2, size: 2), size >= 2,
        size <= source.count - offset - 2
      else { return }
      if head[1] == 0xE1 || head[1] == 0xFE {
        let bytes = try source.read(offset + 4..<offset + 2 + size)
        if head[1] == 0xFE {
          each("comment", bytes)
        } else if bytes.has("Exif\0\0", at: 0) {
          EXIF(Array(bytes.dropFirst(6))).read(each)
        } else {
          let end = bytes.firstIndex(of: 0) ?? 0
          each("xmp", Array(bytes[end...].drop { $0 == 0 }))
        }
      }
      offset += 2 + size
    }
  }
}

/// The strings of EXIF, which is a TIFF without an image.
private struct EXIF {
  private static let names: [Int: String] = [
    0x010D: "DocumentName", 0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model",
    0x0131: "Software", 0x0132: "DateTime", 0x013B: "Artist", 0x8298: "Copyright",
    0x9003: "DateTimeOriginal", 0x9286: "UserComment", 0x9C9B: "XPTitle", 0x9C9C: "XPComment",
    0x9C9D: "XPAuthor", 0x9C9E: "XPKeywords", 0x9C9F: "XPSubject", 0xA430: "CameraOwnerName",
    0xA431: "BodySerialNumber",
  ]
  private static let entryLimit = 1000

  private let bytes: [UInt8]
  private let isLittle: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isLittle = bytes.has("II", at: 0)
  }

  private func number(_ offset: Int, _ size: Int) -> Int? {
    isLittle ? bytes.littleEndian(at: offset, size: size) : bytes.bigEndian(at: offset, size: size)
  }

  func read(_ each: (String, [UInt8]) -> Void) {
    guard isLittle || bytes.has("MM", at: 0), let first = number(4, 4) else { return }
    var pending = [first]
    var seen: Set<Int> = []
    var entries = 0
    while let folder = pending.popLast() {
      guard folder > 0, seen.insert(folder).inserted, let count = number(folder, 2) else {
        continue
      }
      for index in 0..<count {
        entries += 1
        guard entries <= Self.entryLimit else { return }
        let entry = folder + 2 + 12 * index
        guard let tag = number(entry, 2), let kind = number(entry + 2, 2),
          let size = number(entry + 4, 4), let value = number(entry + 8, 4)
        else { break }
        // EXIF and GPS are folders of their own.
        if tag == 0x8769 || tag == 0x8825 { pending.append(value) }
        guard kind == 2 || Self.names[tag] != nil && (kind == 1 || kind == 7) else { continue }
        let start = size <= 4 ? entry + 8 : value
        guard size > 0, start >= 0, size <= bytes.count, start <= bytes.count - size else {
          continue
        }
        var text = bytes[start..<start + size]
        // A comment begins with the name of its character set, in eight bytes.
        if tag == 0x9286 { text = text.dropFirst(8) }
        while kind == 2, text.last == 0 { text = text.dropLast() }
        if !text.isEmpty { each(Self.names[tag] ?? "EXIF \(tag)", Array(text)) }
      }
      if let next = number(folder + 2 + 12 * count, 4) { pending.append(next) }
    }
  }
}
