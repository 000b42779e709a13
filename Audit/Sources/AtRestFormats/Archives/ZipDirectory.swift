/// The list of entries at the end of a zip archive (PKWARE's APPNOTE 6.3).
struct ZipDirectory {
  /// The maximum total size of all names, in bytes. Entries beyond it are skipped.
  static let nameLimit = 64 << 20

  private var window: ByteWindow
  private let count: Int
  private let start: Int
  /// The distance from the archive's own offsets to offsets in the source.
  let shift: Int
  /// True if other bytes precede the archive.
  let isMoved: Bool

  init(_ source: ByteSource) throws(FormatError) {
    window = ByteWindow(source)
    // The end record is followed by a comment of at most 65,535 bytes.
    let tailStart = max(0, source.count - 22 - 0xFFFF)
    let tail = try source.read(tailStart..<source.count)
    guard let place = Self.lastRecord(in: tail) else {
      throw FormatError("This is not a zip archive.", offset: 0)
    }
    var end = tailStart + place
    var count = tail.littleEndian(at: place + 10, size: 2) ?? 0
    var size = tail.littleEndian(at: place + 12, size: 4) ?? 0
    var start = tail.littleEndian(at: place + 16, size: 4) ?? 0
    if end >= 20, count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
      let locator = try source.read(end - 20..<end)
      if locator.has("PK\u{6}\u{7}", at: 0), let offset = Self.number(locator, at: 8),
        let record = try Self.wideRecord(source, at: [offset, end - 76]),
        let wideCount = Self.number(record.bytes, at: 32),
        let wideSize = Self.number(record.bytes, at: 40),
        let wideStart = Self.number(record.bytes, at: 48)
      {
        (count, size, start) = (wideCount, wideSize, wideStart)
        end = record.offset
      }
    }
    self.count = count
    // Bytes before the archive shift all of it, and its own offsets are wrong by their number. They
    // may be another archive, which has a directory too.
    let first = end.subtractingReportingOverflow(size)
    isMoved =
      !first.overflow && first.partialValue >= 0 && first.partialValue != start
      && Self.isRecord(source, at: first.partialValue)
    self.start = isMoved ? first.partialValue : start
    shift = isMoved ? first.partialValue - start : 0
  }

  struct Contents {
    var entries: [ZipArchive.Entry] = []
    /// The entries that are encrypted with AES.
    var locked: [ZipArchive.Entry] = []
    /// The number of all encrypted entries.
    var encrypted = 0
    var skipped: [Skip] = []

    /// Adds an entry, or notes why it is not read.
    ///
    /// - Parameter head: The fields of an entry of the directory.
    mutating func add(_ entry: ZipArchive.Entry?, _ name: String, _ head: [UInt8]) {
      let isEncrypted = head.littleEndian(at: 8, size: 2).map { $0 & 1 != 0 } == true
      if isEncrypted { encrypted += 1 }
      if let entry, !isEncrypted {
        entries.append(entry)
      } else if skipped.count < 100 {
        skipped.append(Skip(path: name, reason: reason(isEncrypted, entry)))
      }
      if let entry, entry.encryption != nil { locked.append(entry) }
    }

    private func reason(_ isEncrypted: Bool, _ entry: ZipArchive.Entry?) -> String {
      guard isEncrypted else { return "The zip entry is damaged." }
      guard let entry, entry.encryption == nil else { return ZipArchive.isEncryptedReason }
      return "The zip entry is encrypted without AES, so no keys were tried on it."
    }
  }

  mutating func read(limit: Int, path: String) throws(FormatError) -> Contents {
    var contents = Contents()
    var offset = start
    var nameRoom = Self.nameLimit
    for index in 0..<max(0, count) {
      guard index < limit, nameRoom >= 0 else {
        contents.skipped.append(
          Skip(path: path, reason: "Zip entries after the first \(index) are skipped."))
        break
      }
      guard let head = try? window.read(at: offset, count: 46), head.has("PK\u{1}\u{2}", at: 0),
        let nameLength = head.littleEndian(at: 28, size: 2),
        let extraLength = head.littleEndian(at: 30, size: 2),
        let commentLength = head.littleEndian(at: 32, size: 2),
        let rest = try? window.read(at: offset + 46, count: nameLength + extraLength)
      else {
        contents.skipped.append(
          Skip(path: path, reason: "The directory of the zip archive is damaged."))
        break
      }
      nameRoom -= nameLength
      offset += 46 + nameLength + extraLength + commentLength
      let name = String(decoding: rest[..<nameLength], as: UTF8.self)
      let extra = Array(rest[nameLength...])
      contents.add(Self.entry(name, head, extra: extra, shift: shift), name, head)
    }
    return contents
  }

  /// Reads an entry.
  ///
  /// - Parameter head: The fields of an entry of the directory.
  static func entry(
    _ name: String, _ head: [UInt8], extra: [UInt8], shift: Int
  ) -> ZipArchive.Entry? {
    guard let flags = head.littleEndian(at: 8, size: 2),
      let method = head.littleEndian(at: 10, size: 2),
      let checksum = head.littleEndian(at: 16, size: 4),
      var packedSize = head.littleEndian(at: 20, size: 4),
      var size = head.littleEndian(at: 24, size: 4),
      var offset = head.littleEndian(at: 42, size: 4)
    else { return nil }
    if size == 0xFFFF_FFFF || packedSize == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
      // The ZIP64 field holds, in this order, the values that did not fit.
      var wide = Self.wideField(extra)[...]
      func next() -> Int? {
        guard wide.count >= 8 else { return nil }
        defer { wide = wide.dropFirst(8) }
        return Self.number(Array(wide.prefix(8)), at: 0)
      }
      if size == 0xFFFF_FFFF {
        guard let value = next() else { return nil }
        size = value
      }
      if packedSize == 0xFFFF_FFFF {
        guard let value = next() else { return nil }
        packedSize = value
      }
      if offset == 0xFFFF_FFFF {
        guard let value = next() else { return nil }
        offset = value
      }
    }
    let place = offset.addingReportingOverflow(shift)
    guard !place.overflow, place.partialValue >= 0 else { return nil }
    let encryption =
      flags & 1 != 0 && method == ZipEncryption.marker ? ZipEncryption(extra: extra) : nil
    let hasChecksum = encryption?.hasChecksum ?? true
    return ZipArchive.Entry(
      name: name, size: size, packedSize: packedSize, offset: place.partialValue,
      method: encryption?.method ?? method,
      checksum: hasChecksum ? UInt32(truncatingIfNeeded: checksum) : nil, encryption: encryption)
  }

  // MARK: Records

  private static func lastRecord(in tail: [UInt8]) -> Int? {
    guard tail.count >= 22 else { return nil }
    return (0...tail.count - 22).reversed().first { tail.has("PK\u{5}\u{6}", at: $0) }
  }

  private static func isRecord(_ source: ByteSource, at offset: Int) -> Bool {
    guard offset >= 0, source.count >= 4, offset <= source.count - 4 else { return false }
    return (try? source.read(offset..<offset + 4)).map { $0.has("PK\u{1}\u{2}", at: 0) } ?? false
  }

  private static func wideRecord(
    _ source: ByteSource, at offsets: [Int]
  ) throws(FormatError) -> (bytes: [UInt8], offset: Int)? {
    for offset in offsets where offset >= 0 && offset <= source.count - 56 {
      let record = try source.read(offset..<offset + 56)
      if record.has("PK\u{6}\u{6}", at: 0) { return (record, offset) }
    }
    return nil
  }

  private static func wideField(_ extra: [UInt8]) -> [UInt8] { field(1, in: extra) ?? [] }

  /// Returns the contents of an extra field, or nil if the entry lacks a field with this tag.
  static func field(_ wanted: Int, in extra: [UInt8]) -> [UInt8]? {
    var index = 0
    while let tag = extra.littleEndian(at: index, size: 2),
      let size = extra.littleEndian(at: index + 2, size: 2), size <= extra.count - index - 4
    {
      if tag == wanted { return Array(extra[index + 4..<index + 4 + size]) }
      index += 4 + size
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
    bytes.littleEndian64(at: offset).flatMap { Int(exactly: $0) }
  }
}
