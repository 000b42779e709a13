/// The entries of a zip archive whose directory is lost, found by the header before each entry.
struct ZipHeaders {
  private static let headerSize = 30
  private static let windowSize = 1 << 18
  private static let entryMagic: StaticString = "PK\u{3}\u{4}"
  private static let descriptorMagic: StaticString = "PK\u{7}\u{8}"
  /// The highest version of the format that an entry may need, times ten.
  private static let versionLimit = 63

  private let source: ByteSource
  /// The end of the part of the source that is searched.
  private let end: Int
  private var window: (start: Int, bytes: [UInt8]) = (0, [])
  /// The number of bytes that may still be searched for the ends of contents. In a hostile file, the contents of each entry
  /// may seem to reach to its end.
  private var searchLeft: Int

  init(_ source: ByteSource, end: Int) {
    self.source = source
    self.end = end
    searchLeft = 2 * max(0, end) + Self.windowSize
  }

  /// Reads the entries up to the first that would exceed a limit.
  mutating func read(limit: Int, path: String) throws(FormatError) -> ZipDirectory.Contents {
    var contents = ZipDirectory.Contents()
    var nameRoom = ZipDirectory.nameLimit
    var place = 0
    var count = 0
    while let offset = try next(Self.entryMagic, from: place) {
      place = offset + 4
      guard let header = try header(at: offset) else { continue }
      count += 1
      nameRoom -= header.name.utf8.count
      guard count <= limit, nameRoom >= 0 else {
        contents.skipped.append(
          Skip(path: path, reason: "Zip entries after the first \(count - 1) are skipped."))
        break
      }
      var entry = ZipDirectory.entry(
        header.name, header.fields, extra: header.extra, shift: offset)
      if header.isBeforeItsSizes, var found = entry, searchLeft > 0 {
        let size = try sizes(of: &found, from: header.end)
        entry = found
        place = header.end + size
      } else if let size = entry?.packedSize, size <= end - header.end {
        place = header.end + size
      }
      contents.add(entry, header.name, header.fields)
    }
    return contents
  }

  private struct Header {
    let name: String
    /// The fields in the layout of the directory, in which the offset is zero.
    let fields: [UInt8]
    let extra: [UInt8]
    let end: Int

    /// True if the sizes follow the contents.
    var isBeforeItsSizes: Bool {
      (fields.littleEndian(at: 8, size: 2) ?? 0) & 8 != 0
        && fields.littleEndian(at: 20, size: 4) == 0
    }
  }

  private func header(at offset: Int) throws(FormatError) -> Header? {
    guard offset <= end - Self.headerSize else { return nil }
    let head = try source.read(offset..<offset + Self.headerSize)
    let start = offset + Self.headerSize
    guard head[4] <= Self.versionLimit, let nameSize = head.littleEndian(at: 26, size: 2),
      let extraSize = head.littleEndian(at: 28, size: 2), nameSize > 0,
      nameSize + extraSize <= end - start
    else { return nil }
    let rest = try source.read(start..<start + nameSize + extraSize)
    guard !rest[..<nameSize].contains(where: { $0 < 0x20 }) else { return nil }
    let fields = [0x50, 0x4B, 1, 2, 0, 0] + head[4...] + [UInt8](repeating: 0, count: 14)
    return Header(
      name: String(decoding: rest[..<nameSize], as: UTF8.self), fields: fields,
      extra: Array(rest[nameSize...]), end: start + nameSize + extraSize)
  }

  /// Sets the sizes of an entry that follow its contents. Returns the size of the contents.
  private mutating func sizes(
    of entry: inout ZipArchive.Entry, from start: Int
  ) throws(FormatError) -> Int {
    var place = start
    while searchLeft > 0, let offset = try next(Self.descriptorMagic, from: place) {
      searchLeft -= offset + 4 - place
      place = offset + 4
      guard offset <= end - 16 else { break }
      let fields = try source.read(offset..<offset + 16)
      guard fields.littleEndian(at: 8, size: 4) == offset - start,
        let sum = fields.littleEndian(at: 4, size: 4),
        let size = fields.littleEndian(at: 12, size: 4)
      else { continue }
      entry = entry.with(
        size: size, packedSize: offset - start,
        checksum: entry.checksum == nil ? nil : UInt32(truncatingIfNeeded: sum))
      return offset - start
    }
    searchLeft -= end - place
    entry = entry.with(size: end - start, packedSize: end - start, checksum: nil)
    entry.isCut = true
    return 0
  }

  /// The offset of the next signature.
  private mutating func next(
    _ magic: StaticString, from start: Int
  ) throws(FormatError) -> Int? {
    var offset = start
    while offset <= end - 4 {
      if offset < window.start || offset + 4 > window.start + window.bytes.count {
        window = (offset, try source.read(offset..<min(end, offset + Self.windowSize)))
      }
      let bytes = window.bytes
      var index = offset - window.start
      while let place = bytes[index...].firstIndex(of: 0x50) {
        if bytes.has(magic, at: place) { return window.start + place }
        index = place + 1
      }
      // A signature may begin in the last bytes of the window.
      offset = max(offset + 1, window.start + bytes.count - 3)
    }
    return nil
  }
}

extension ZipArchive.Entry {
  fileprivate func with(size: Int, packedSize: Int, checksum: UInt32?) -> Self {
    Self(
      name: name, size: size, packedSize: packedSize, offset: offset, method: method,
      checksum: checksum, encryption: encryption)
  }
}

extension ZipDirectory {
  /// Reads the directory of an archive. Entries that are in no directory are found by their headers.
  ///
  /// - Throws: ``FormatError`` if the source has neither a directory nor an entry, or cannot be read.
  static func contents(
    of source: ByteSource, limit: Int, path: String, isWhole: Bool
  ) throws(FormatError) -> Contents {
    func found(before end: Int, _ reason: String) throws(FormatError) -> Contents {
      var headers = ZipHeaders(source, end: end)
      var contents = try headers.read(limit: limit, path: path)
      contents.skipped.insert(Skip(path: path, reason: reason), at: 0)
      return contents
    }
    var directory: ZipDirectory
    do {
      directory = try ZipDirectory(source)
    } catch {
      if isWhole { throw error }
      let contents = try found(
        before: source.count,
        "The directory of the zip archive is missing, so entries were found by their headers.")
      if contents.entries.isEmpty, contents.encrypted == 0 { throw error }
      return contents
    }
    var contents = try directory.read(limit: limit, path: path)
    if directory.shift != 0 {
      let bytes = abs(directory.shift)
      let reason =
        directory.shift > 0
        ? "The zip archive is behind \(bytes) other bytes."
        : "The first \(bytes) bytes of the zip archive are missing."
      contents.skipped.insert(Skip(path: path, reason: reason), at: 0)
    }
    // Two archives that were joined have the directory of the last one at their end.
    guard directory.shift > 0, try source.prefix(4).has("PK\u{3}\u{4}", at: 0) else {
      return contents
    }
    let first = try found(
      before: directory.shift,
      "Another zip archive precedes this one. Its entries were found by their headers.")
    contents.entries = first.entries + contents.entries
    contents.locked = first.locked + contents.locked
    contents.encrypted += first.encrypted
    contents.skipped = first.skipped + contents.skipped
    return contents
  }
}
