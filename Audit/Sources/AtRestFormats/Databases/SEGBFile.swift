/// Reads files of Biome, in which iOS and macOS keep streams of events, in both versions of their
/// format.
///
/// Apple has not published the format. It is known from public research (*ccl-segb*).
package enum SEGBFile {
  /// A record, whose data is usually a message of Protocol Buffers.
  package struct Record: Sendable {
    package let data: [UInt8]
    /// The offset of the data in the file, in bytes.
    package let offset: Int
    package let isDeleted: Bool
  }

  private static let headerSizes = (first: 56, second: 32)
  private static let recordHeaderSizes = (first: 32, second: 8)
  private static let trailerEntrySize = 16
  private static let deleted = 3
  private static let unused = 4
  /// The maximum size of a record in bytes.
  private static let recordLimit = 16 << 20

  /// Reads all records.
  ///
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if this is not such a file, or it cannot be read.
  package static func read(
    _ source: ByteSource, path: String, each: (Record) -> Void
  ) throws(FormatError) -> [Skip] {
    let head = try source.prefix(headerSizes.first)
    if head.has("SEGB", at: 0) { return try second(source, head, path, each) }
    guard head.has("SEGB", at: 52) else {
      throw FormatError("This is not a file of Biome.", offset: 0)
    }
    return try first(source, head, path, each)
  }

  /// Reads the first version, in which a header precedes each record.
  private static func first(
    _ source: ByteSource, _ head: [UInt8], _ path: String, _ each: (Record) -> Void
  ) throws(FormatError) -> [Skip] {
    var window = ByteWindow(source)
    let end = head.littleEndian(at: 0, size: 4) ?? 0
    var offset = headerSizes.first
    while offset < min(end, source.count) {
      let header = recordHeaderSizes.first
      guard source.count - offset >= header else { break }
      let bytes = try window.read(at: offset, count: header)
      let size = bytes.littleEndian(at: 0, size: 4) ?? 0
      offset += header
      guard size <= recordLimit, size <= source.count - offset else {
        return [Skip(path: path, reason: "The record at byte \(offset - header) is damaged.")]
      }
      let state = bytes.littleEndian(at: 4, size: 4)
      each(
        Record(
          data: try window.read(at: offset, count: size), offset: offset,
          isDeleted: state == deleted))
      offset = (offset + size + 7) & ~7
    }
    guard end <= source.count else {
      return [Skip(path: path, reason: "The file is cut off.")]
    }
    return []
  }

  /// Reads the second version, whose last bytes list the end and the state of each record.
  private static func second(
    _ source: ByteSource, _ head: [UInt8], _ path: String, _ each: (Record) -> Void
  ) throws(FormatError) -> [Skip] {
    let start = headerSizes.second
    guard let count = head.littleEndian(at: 4, size: 4), source.count >= start,
      count <= (source.count - start) / trailerEntrySize
    else { return [Skip(path: path, reason: "The list of records is damaged.")] }
    let limit = source.count - count * trailerEntrySize
    var window = ByteWindow(source)
    var entries: [(end: Int, state: Int)] = []
    for index in 0..<count {
      let entry = try window.read(at: limit + index * trailerEntrySize, count: 8)
      let end = entry.littleEndian(at: 0, size: 4) ?? 0
      entries.append((start + end, entry.littleEndian(at: 4, size: 4) ?? 0))
    }
    entries.sort { $0.end < $1.end }
    var offset = start
    for entry in entries where entry.state != unused {
      let data = offset + recordHeaderSizes.second
      guard entry.end <= limit, entry.end - data <= recordLimit else {
        return [Skip(path: path, reason: "The record at byte \(offset) is damaged.")]
      }
      // Two entries of a damaged list may have the same end.
      if entry.end > data {
        each(
          Record(
            data: try window.read(at: data, count: entry.end - data), offset: data,
            isDeleted: entry.state == deleted))
      }
      offset = max(offset, start + (entry.end - start + 3) & ~3)
    }
    return []
  }
}
