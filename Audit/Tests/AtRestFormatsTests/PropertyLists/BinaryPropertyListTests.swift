import AtRestFormats
import Foundation
import Testing

@Suite struct BinaryPropertyListTests {
  /// Returns an array of this many objects, all of which begin at the same byte of the file.
  private func overlapping(_ count: Int, text: [UInt8]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    let start = bytes.count
    bytes += [0x5F, 0x12] + big(text.count, 4) + text
    let list = bytes.count
    bytes += [0xAF, 0x12] + big(count, 4) + (1...count).flatMap { big($0, 2) }
    let table = bytes.count
    bytes += big(list, 4) + (1...count).flatMap { _ in big(start, 4) }
    return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + big(count + 1, 8) + big(0, 8) + big(table, 8)
  }

  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  @Test func aTextAloneIsRead() {
    let list = PropertyList.read(Data(overlapping(1, text: Array("typed".utf8))), path: "a")
    #expect(list.root?.strings == ["typed"])
    #expect(list.skipped.isEmpty)
  }

  @Test func objectsInTheSameBytesDoNotGrowWithoutBound() {
    let text = [UInt8](repeating: 65, count: 1 << 20)
    let bytes = overlapping(10_000, text: text)
    let list = PropertyList.read(Data(bytes), path: "a")
    #expect(list.root?.strings.count == 1)
    #expect(
      list.skipped.map(\.reason) == [
        "The binary property list contains values that overlap.",
        "The binary property list contains damaged values.",
      ])
  }
}
