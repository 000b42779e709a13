import CZlib
import Foundation

/// Reads the files of a zip, each up to a limit that the caller sets.
///
/// Stored and deflated entries are read; encrypted ones, other methods and ZIP64 are skipped.
public struct ZipArchive: Sendable {
  /// More entries are left out.
  static let entryLimit = 500_000

  public let entries: [Entry]
  public let skipped: [Skip]
  private let bytes: Data

  public struct Entry: Hashable, Sendable {
    public let name: String
    /// The size that the archive gives, which may not be true.
    public let size: Int
    let packedSize: Int
    let offset: Int
    let method: Int
    let checksum: UInt32
  }

  /// What is wrong with an archive, or an entry of it.
  public struct Damage: Error, CustomStringConvertible, Sendable {
    public let description: String
  }

  /// Reads the directory at the end.
  ///
  /// - Throws: ``Damage`` if there is none.
  public init(_ data: Data) throws(Damage) {
    bytes = data.startIndex == 0 ? data : Data(data)
    guard let end = Self.directoryEnd(of: bytes),
      let count = Self.number(bytes, end + 10, 2), let start = Self.number(bytes, end + 16, 4)
    else { throw Damage(description: "This is no zip.") }
    var entries: [Entry] = []
    var skipped: [Skip] = []
    var offset = start
    while entries.count < min(count, Self.entryLimit) {
      guard Self.number(bytes, offset, 4) == 0x0201_4B50,
        let flags = Self.number(bytes, offset + 8, 2),
        let method = Self.number(bytes, offset + 10, 2),
        let checksum = Self.number(bytes, offset + 16, 4),
        let packedSize = Self.number(bytes, offset + 20, 4),
        let size = Self.number(bytes, offset + 24, 4),
        let nameLength = Self.number(bytes, offset + 28, 2),
        let extraLength = Self.number(bytes, offset + 30, 2),
        let commentLength = Self.number(bytes, offset + 32, 2),
        let place = Self.number(bytes, offset + 42, 4),
        offset + 46 + nameLength <= bytes.count
      else {
        skipped.append(Skip(path: "", reason: "The directory of the zip is damaged."))
        break
      }
      let name = String(decoding: bytes[offset + 46..<offset + 46 + nameLength], as: UTF8.self)
      offset += 46 + nameLength + extraLength + commentLength
      if flags & 1 != 0 || place == 0xFFFF_FFFF || packedSize == 0xFFFF_FFFF {
        skipped.append(Skip(path: name, reason: "The entry of the zip is encrypted, or too large."))
        if skipped.count > 100 { break }
        continue
      }
      entries.append(
        Entry(
          name: name, size: size, packedSize: packedSize, offset: place, method: method,
          checksum: UInt32(truncatingIfNeeded: checksum)))
    }
    self.entries = entries
    self.skipped = skipped
  }

  /// The contents of an entry.
  ///
  /// - Throws: ``Damage`` if the entry is damaged, packed by an unknown method, or larger than the
  ///   limit, whatever size it claims to have.
  public func read(_ entry: Entry, limit: Int) throws(Damage) -> Data {
    guard Self.number(bytes, entry.offset, 4) == 0x0403_4B50,
      let nameLength = Self.number(bytes, entry.offset + 26, 2),
      let extraLength = Self.number(bytes, entry.offset + 28, 2)
    else { throw Damage(description: "The entry of the zip is damaged.") }
    let start = entry.offset + 30 + nameLength + extraLength
    guard start <= bytes.count, entry.packedSize <= bytes.count - start else {
      throw Damage(description: "The entry of the zip is cut off.")
    }
    guard entry.size <= limit else {
      throw Damage(description: "The entry of the zip is larger than \(limit) bytes.")
    }
    let packed = bytes[start..<start + entry.packedSize]
    let result: Data
    switch entry.method {
    case 0: result = Data(packed)
    case 8: result = try Self.inflated(packed, size: entry.size)
    default: throw Damage(description: "The entry of the zip is packed by an unknown method.")
    }
    guard result.count == entry.size, Self.checksum(of: result) == entry.checksum else {
      throw Damage(description: "The entry of the zip is damaged.")
    }
    return result
  }

  // MARK: Bytes

  private static func number(_ bytes: Data, _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { return nil }
    var result = 0
    for index in (offset..<offset + size).reversed() { result = result << 8 | Int(bytes[index]) }
    return result
  }

  /// The end record stands before a comment of at most 65,535 bytes.
  private static func directoryEnd(of bytes: Data) -> Int? {
    var offset = bytes.count - 22
    let last = max(0, offset - 0xFFFF)
    while offset >= last {
      if number(bytes, offset, 4) == 0x0605_4B50 { return offset }
      offset -= 1
    }
    return nil
  }

  private static func checksum(of data: Data) -> UInt32 {
    data.withUnsafeBytes { buffer in
      UInt32(
        truncatingIfNeeded: crc32_z(
          0, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count))
    }
  }

  /// Never more than the size, for zlib stops where its room ends.
  private static func inflated(_ packed: Data, size: Int) throws(Damage) -> Data {
    var result = Data(count: size)
    var stream = z_stream()
    guard
      inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw Damage(description: "zlib cannot be used.") }
    defer { inflateEnd(&stream) }
    let status = packed.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { target in
        stream.next_in = UnsafeMutablePointer(
          mutating: source.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        return inflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END, Int(stream.total_out) == size else {
      throw Damage(description: "The entry of the zip is damaged.")
    }
    return result
  }
}
