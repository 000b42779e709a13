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
      let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      if place.depth == 0, source.count > Self.pieceSize {
        return try spreadLines(source, from: start, place)
      }
      try lines(source, start..<source.count, first: 1, place)
    } catch {
      problem(place, error)
    }
  }

  /// Visits the lines in a range, which begins and ends between two lines.
  func lines(
    _ source: ByteSource, _ range: Range<Int>, first: Int, _ place: Place
  ) throws(FormatError) {
    var line = first
    var offset = range.lowerBound
    let found = found.flatMap { $0.source === source ? $0.ranges : nil }
    while offset < range.upperBound, isInTime(place) {
      let end = min(range.upperBound, offset + WalkLimits.windowBytes)
      let bytes = try source.read(offset..<end)
      let places = found.map { ranges in
        ranges.filter { $0.overlaps(offset..<end) }.map {
          $0.lowerBound - offset..<$0.upperBound - offset
        }
      }
      offset += lines(of: bytes[...], &line, isLast: end == range.upperBound, found: places, place)
    }
  }

  /// Divides a large text into pieces, and counts the lines before each one. Each piece is visited
  /// as soon as it is known.
  private func spreadLines(
    _ source: ByteSource, from first: Int, _ place: Place
  ) throws(FormatError) {
    let isRaw = state.walk.rawBytes && !state.walk.hashes
    spreadsRaw = isRaw
    var (start, offset, line, lines) = (first, first, 1, 0)
    func finish(at end: Int) {
      let content = FilePiece.Content.lines(start..<end, first: line, isRaw: isRaw)
      spread([FilePiece(source: source, place: place, content: content)])
      start = end
      line += lines
      lines = 0
    }
    while offset < source.count, isInTime(place) {
      let bytes = try source.read(offset..<min(source.count, offset + WalkLimits.windowBytes))
      let end = offset + bytes.count
      if end - start > Self.pieceSize, let cut = Self.cut(bytes) {
        lines += bytes[...cut].count { $0 == 0x0A }
        finish(at: offset + cut + 1)
        lines += bytes[(cut + 1)...].count { $0 == 0x0A }
      } else {
        lines += bytes.count { $0 == 0x0A }
      }
      offset = end
    }
    if start < source.count { finish(at: source.count) }
  }

  /// The index of the last line break that is in no key or certificate in PEM, or nil.
  private static func cut(_ bytes: [UInt8]) -> Int? {
    guard let last = bytes.lastIndex(of: 0x0A) else { return nil }
    let tail = Data(bytes[max(0, last - lineLimit)...last])
    let begin = tail.range(of: Data("-----BEGIN ".utf8), options: .backwards)
    let end = tail.range(of: Data("-----END ".utf8), options: .backwards)
    guard let begin, end.map({ $0.lowerBound < begin.lowerBound }) ?? true else { return last }
    let start = max(0, last - lineLimit) + begin.lowerBound
    return bytes[..<start].lastIndex(of: 0x0A)
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
  ///
  /// - Parameter found: The ranges in which something was found when these bytes were visited as raw
  ///   bytes, in order, or nil if they were not.
  private func lines(
    of bytes: ArraySlice<UInt8>, _ line: inout Int, isLast: Bool, found: [Range<Int>]? = nil,
    _ place: Place
  ) -> Int {
    var ahead = (found ?? [])[...]
    /// Returns true if nothing was found in a range, which begins after the one of the last call.
    func wasSearched(_ range: Range<Int>) -> Bool {
      guard found != nil else { return false }
      while let next = ahead.first, next.upperBound <= range.lowerBound { ahead.removeFirst() }
      return !ahead.contains { $0.overlaps(range) }
    }
    return bytes.withUnsafeBufferPointer { buffer in
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
            place.at(.line(line)), wasSearched: wasSearched(start..<start + end))
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
