@_spi(Tools) import AtRestSecrets

/// Finds text that is spread over lines: hexadecimal dumps, as `xxd` and `hexdump` print them, and
/// folded lines, as in vCard and iCalendar (RFC 5545, 3.1).
struct LineRuns {
  /// The minimum length of a line that is folded.
  private static let foldedLength = 60
  private static let shortestOffset = 7
  /// The maximum number of bytes in a line of a dump.
  private static let dumpWidth = 64

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  private struct Dump {
    var range: Range<Int>
    var bytes: [UInt8]
    /// True if the digits are in groups of two bytes, whose order is unknown.
    var hasPairs: Bool

    mutating func add(_ row: (bytes: [UInt8], hasPairs: Bool), _ line: Range<Int>) {
      bytes += row.bytes
      hasPairs = hasPairs && row.hasPairs
      range = range.lowerBound..<line.upperBound
    }
  }

  func search(_ runs: inout [EncodedRun]) {
    var dump: Dump?
    var folded: (start: Int, bytes: [UInt8])?
    var previous = 0..<0
    func finishDump() {
      guard let last = dump else { return }
      runs.append(EncodedRun(range: last.range, encoding: "hex dump", bytes: last.bytes))
      if last.hasPairs {
        var swapped = last.bytes
        for index in stride(from: 1, to: swapped.count, by: 2) { swapped.swapAt(index - 1, index) }
        runs.append(EncodedRun(range: last.range, encoding: "hex dump", bytes: swapped))
      }
      dump = nil
    }
    func finishFold() {
      guard let last = folded else { return }
      runs.append(
        EncodedRun(range: last.start..<previous.upperBound, encoding: "folded", bytes: last.bytes))
      folded = nil
    }
    var start = 0
    while start < text.count {
      let line = line(from: start)
      if let row = row(line) {
        if dump == nil { dump = Dump(range: line, bytes: [], hasPairs: true) }
        dump?.add(row, line)
      } else {
        finishDump()
      }
      if isContinuation(line), folded != nil || previous.count >= Self.foldedLength {
        if folded == nil { folded = (previous.lowerBound, Array(text[previous])) }
        folded?.bytes += text[(line.lowerBound + 1)..<line.upperBound]
      } else {
        finishFold()
      }
      previous = line
      start = next(after: line.upperBound)
    }
    finishDump()
    finishFold()
  }

  // MARK: Lines

  /// The line that begins at a position, without its end.
  private func line(from start: Int) -> Range<Int> {
    guard let end = text.index(of: 0x0A, from: start) else { return start..<text.count }
    return start..<(end > start && text[end - 1] == 0x0D ? end - 1 : end)
  }

  private func next(after end: Int) -> Int {
    var place = end
    if place < text.count, text[place] == 0x0D { place &+= 1 }
    return place &+ 1
  }

  private func isContinuation(_ line: Range<Int>) -> Bool {
    line.count > 1 && (text[line.lowerBound] == 0x20 || text[line.lowerBound] == 9)
      && !ASCII.isBlank(text[line.lowerBound + 1])
  }

  // MARK: Dumps

  /// Reads a line of a dump: an offset, groups of digits, and the characters, which are skipped.
  private func row(_ line: Range<Int>) -> (bytes: [UInt8], hasPairs: Bool)? {
    var place = line.lowerBound
    while place < line.upperBound, ASCII.hex(text[place]) != nil { place &+= 1 }
    guard (Self.shortestOffset...16).contains(place - line.lowerBound), place < line.upperBound
    else { return nil }
    let hasColon = text[place] == 0x3A
    if hasColon { place &+= 1 }
    var bytes: [UInt8] = []
    var hasPairs = !hasColon
    while place < line.upperBound, bytes.count < Self.dumpWidth {
      let start = place
      while place < line.upperBound, text[place] == 0x20 { place &+= 1 }
      // In the form of xxd, two blanks separate the digits from the characters.
      guard place > start, !hasColon || bytes.isEmpty || place - start == 1 else { break }
      let first = place
      while place < line.upperBound, ASCII.hex(text[place]) != nil { place &+= 1 }
      guard [2, 4, 8].contains(place - first), place == line.upperBound || text[place] == 0x20
      else { break }
      hasPairs = hasPairs && place - first == 4
      bytes += ByteRun.hex.bytes(of: UnsafeBufferPointer(rebasing: text[first..<place])) ?? []
    }
    return bytes.isEmpty ? nil : (bytes, hasPairs)
  }
}
