extension StringsScan {
  /// A part of the source. Only strings that begin before the limit belong to it.
  struct Window {
    let bytes: UnsafeBufferPointer<UInt8>
    let start: Int
    let limit: Int

    private func run(_ range: Range<Int>, _ encoding: Encoding) -> Run {
      let slice = bytes[range]
      let text: String
      switch encoding {
      case .utf8: text = String(decoding: slice, as: UTF8.self)
      case .utf16LittleEndian, .utf16BigEndian:
        let order = encoding == .utf16LittleEndian ? 0 : 1
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
          UInt16(bytes[$0 + order]) | UInt16(bytes[$0 + 1 - order]) << 8
        }
        text = String(decoding: units, as: UTF16.self)
      }
      return Run(
        text: text, offset: start + range.lowerBound, size: range.count, encoding: encoding)
    }

    /// Finds strings in UTF-8. Returns the offset at which the last one ended.
    func narrow(from resume: Int, minimum: Int, each: (Run) -> Void) -> Int {
      var index = max(0, resume - start)
      var end = resume
      while index < bytes.count, start + index < limit {
        let first = index
        var characters = 0
        while index < bytes.count, index - first < StringsScan.runLimit - 4 {
          let length = character(at: index)
          if length == 0 { break }
          index += length
          characters += 1
        }
        if characters >= minimum {
          each(run(first..<index, .utf8))
          end = start + index
        }
        if index == first || character(at: index) == 0 { index += 1 }
      }
      return end
    }

    /// The length of a printable character, or zero.
    private func character(at index: Int) -> Int {
      guard index < bytes.count else { return 0 }
      let byte = bytes[index]
      if byte < 0x80 { return byte >= 0x20 && byte < 0x7F || byte == 0x09 ? 1 : 0 }
      let length = byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0
      guard length > 0, index + length <= bytes.count else { return 0 }
      for next in 1..<length where bytes[index + next] & 0xC0 != 0x80 { return 0 }
      let second = bytes[index + 1]
      switch byte {
      // Control characters, overlong forms, surrogates, and values beyond Unicode.
      case 0xC2: return second >= 0xA0 ? 2 : 0
      case 0xE0: return second >= 0xA0 ? 3 : 0
      case 0xED: return second < 0xA0 ? 3 : 0
      case 0xF0: return second >= 0x90 ? 4 : 0
      case 0xF4: return second < 0x90 ? 4 : 0
      default: return length
      }
    }

    /// Finds strings in UTF-16. Returns the offset at which the last one ended.
    ///
    /// Between zeros, the same letters can be read in either byte order, one byte apart. The longer
    /// text is used.
    func wide(
      from resume: Int, minimum: Int, encodings: Set<Encoding>, each: (Run) -> Void
    ) -> Int {
      var found: [(range: Range<Int>, encoding: Encoding)] = []
      for encoding in [Encoding.utf16LittleEndian, .utf16BigEndian]
      where encodings.contains(encoding) {
        for parity in 0..<2 {
          runs(from: max(0, resume - start), parity: parity, encoding, minimum: minimum) {
            found.append(($0, encoding))
          }
        }
      }
      found.sort {
        ($0.range.lowerBound, $1.range.count, $0.encoding == .utf16BigEndian ? 1 : 0)
          < ($1.range.lowerBound, $0.range.count, $1.encoding == .utf16BigEndian ? 1 : 0)
      }
      var kept: [(range: Range<Int>, encoding: Encoding)] = []
      for next in found {
        guard let last = kept.last, last.range.overlaps(next.range) else {
          kept.append(next)
          continue
        }
        if next.range.count > last.range.count
          || next.range.count == last.range.count && next.encoding == .utf16LittleEndian
        {
          kept[kept.count - 1] = next
        }
      }
      for next in kept { each(run(next.range, next.encoding)) }
      return kept.last.map { start + $0.range.upperBound } ?? resume
    }

    private func runs(
      from first: Int, parity: Int, _ encoding: Encoding, minimum: Int, each: (Range<Int>) -> Void
    ) {
      let order = encoding == .utf16LittleEndian ? 0 : 1
      // Parity refers to offsets in the source, not in the window.
      var index = first + ((start + first + parity) & 1)
      var begin = index
      while index + 1 < bytes.count {
        if isLetter(bytes[index + order], high: bytes[index + 1 - order]),
          index - begin < StringsScan.runLimit - 2
        {
          index += 2
          continue
        }
        if (index - begin) / 2 >= minimum, start + begin < limit { each(begin..<index) }
        if start + index >= limit { return }
        let isCut = index - begin >= StringsScan.runLimit - 2
        index += isCut ? 0 : 2
        begin = index
      }
      if (index - begin) / 2 >= minimum, start + begin < limit { each(begin..<index) }
    }

    private func isLetter(_ low: UInt8, high: UInt8) -> Bool {
      switch high {
      case 0: low >= 0x20 && low < 0x7F || low >= 0xA0 || low == 0x09
      case 0x01: low < 0x80
      case 0x03: low >= 0x84 && low < 0xD0
      case 0x04: low < 0x60
      case 0x05: low >= 0xD0 && low < 0xEB
      case 0x06: low >= 0x0C && low < 0x70
      default: false
      }
    }
  }
}
