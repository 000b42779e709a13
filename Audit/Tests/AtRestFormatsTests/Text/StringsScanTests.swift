import AtRestFormats
import Testing

@Suite struct StringsScanTests {
  private func runs(_ bytes: [UInt8]) throws -> [StringsScan.Run] {
    var runs: [StringsScan.Run] = []
    try StringsScan().read(ByteSource(bytes)) { runs.append($0) }
    return runs
  }

  private func wide(_ text: String, isBig: Bool = false) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBig ? bytes.reversed() : bytes
    }
  }

  @Test func textsOfEachEncodingAreFound() throws {
    let bytes =
      [0, 1] + Array("grüße 中".utf8) + [0xFF, 0xFF, 1] + wide("password") + [1, 0xFF, 0xFF]
      + wide("секрет", isBig: true) + [0xFF, 0xFF]
    let runs = try runs(bytes)
    #expect(runs.map(\.text) == ["grüße 中", "password", "секрет"])
    #expect(runs.map(\.encoding) == [.utf8, .utf16LittleEndian, .utf16BigEndian])
    #expect(runs.map(\.offset) == [2, 16, 35])
  }

  @Test func shortRunsAreLeftOut() throws {
    #expect(try runs(Array("abc\0de\0fgh\u{1}".utf8)).isEmpty)
  }

  @Test func textsAcrossWindowsAreWhole() throws {
    var bytes = [UInt8](repeating: 0, count: 3 << 20)
    for place in [(1 << 20) - 5, (2 << 20) - 3] {
      bytes.replaceSubrange(place..<place + 12, with: Array("across limit".utf8))
    }
    bytes.replaceSubrange((1 << 20) + 500_001..<(1 << 20) + 500_017, with: wide("sixteen!"))
    let runs = try runs(bytes)
    #expect(Set(runs.map(\.text)) == ["across limit", "sixteen!"])
    #expect(runs.count == 3)
  }

  @Test func longTextsComeInPartsWithoutAGap() throws {
    let runs = try runs([UInt8](repeating: 65, count: 300_000))
    var end = 0
    for run in runs {
      #expect(run.offset == end)
      #expect(run.size <= StringsScan.runLimit)
      end += run.size
    }
    #expect(end == 300_000)
  }
}
