import AtRestFormats
import Foundation

/// Text that is read line by line: logs, settings, source code.
extension FileWalk {
  /// The maximum size of a line in bytes. Longer lines are visited in parts of this size.
  private static let lineLimit = 64 << 10

  /// Visits each line of text that is not empty.
  func lines(_ source: ByteSource, _ place: Place) {
    do {
      let head = try source.prefix(4)
      if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        || head.starts(with: [0, 0, 0xFE, 0xFF])
      {
        return try wideLines(source, place)
      }
      var line = 1
      var offset = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while offset < source.count, isInTime(place) {
        let end = min(source.count, offset + WalkLimits.windowBytes)
        let bytes = try source.read(offset..<end)
        let used = lines(of: bytes[...], &line, isLast: end == source.count, place)
        offset += used
      }
    } catch {
      problem(place, error)
    }
  }

  private func wideLines(_ source: ByteSource, _ place: Place) throws(FormatError) {
    guard source.count <= limits.documentBytes else {
      problem(
        place, "The text in UTF-16 is larger than \(limits.documentBytes) bytes and was not read.")
      return
    }
    let bytes = TextBytes.utf8(of: Data(try source.read(0..<source.count)))
    var line = 1
    _ = lines(of: bytes[...], &line, isLast: true, place.at(.encoding("utf-16")))
  }

  /// The length of a key or certificate in PEM (RFC 7468) that begins here. Its lines are visited
  /// together, because single lines mean nothing. If the end is missing, the length is that of all
  /// the bytes.
  private func armour(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let begin = "-----BEGIN ".utf8
    guard let base = text.baseAddress, text.starts(with: begin) else { return nil }
    let room = min(text.count, Self.lineLimit)
    var place = begin.count
    while let dash = memchr(base + place, 0x2D, room - place) {
      place = dash - UnsafeMutableRawPointer(mutating: base)
      let rest = text[place..<room]
      // If another one begins before the end, this is not one, and it is not searched twice.
      if rest.starts(with: begin) { return nil }
      if rest.starts(with: "-----END ".utf8) {
        return memchr(base + place, 0x0A, room - place).map {
          $0 - UnsafeMutableRawPointer(mutating: base)
        } ?? room
      }
      place += 1
    }
    return room < Self.lineLimit ? room : nil
  }

  /// Visits the lines that end within the bytes. Returns the number of bytes in these lines.
  private func lines(
    of bytes: ArraySlice<UInt8>, _ line: inout Int, isLast: Bool, _ place: Place
  ) -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var start = 0
      while start < buffer.count, !isStopped {
        let rest = buffer.count - start
        let newline = memchr(base + start, 0x0A, min(rest, Self.lineLimit))
        let length: Int
        if let newline {
          length = newline - UnsafeMutableRawPointer(mutating: base + start)
        } else if rest >= Self.lineLimit || isLast {
          length = min(rest, Self.lineLimit)
        } else {
          break
        }
        if base[start] == UInt8(ascii: "-"),
          let count = armour(UnsafeBufferPointer(start: base + start, count: rest))
        {
          // The key may continue in the next window.
          if count == rest, rest < Self.lineLimit, !isLast, start > 0 { break }
          let lines = bytes[bytes.startIndex + start..<bytes.startIndex + start + count]
          value(utf8: lines, place.at(.line(line)))
          line += lines.count { $0 == 0x0A }
          start += count
          continue
        }
        let end = length > 0 && base[start + length - 1] == 0x0D ? length - 1 : length
        if end > 0 {
          value(
            utf8: bytes[bytes.startIndex + start..<bytes.startIndex + start + end],
            place.at(.line(line)))
        }
        start += length
        if newline != nil {
          start += 1
          line += 1
        }
      }
      return start
    }
  }
}
