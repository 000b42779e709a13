import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Files that are visited in pieces, and files with holes.
@Suite struct LargeFileTests {
  private static let typed = "violet-kestrel-48"

  private func scan(_ path: String) throws -> ContainerScan.Result {
    let canary = try Canary(name: "typed", value: Self.typed)
    return try ContainerScan(ContainerSource(path), canaries: [canary]).run()
  }

  @Test func linesOfALargeTextHaveTheirNumbers() throws {
    // 20 MiB of short lines, with the canary after the first piece.
    let line = Array("a line of a log that says nothing at all, over and over\n".utf8)
    var text: [UInt8] = []
    for _ in 0..<370_000 { text += line }
    text += Array("page \(Self.typed)\n".utf8)
    let folder = try ScratchFolder()
    try folder.write("a.log", text)
    let result = try scan(folder.path + "/a.log")
    #expect(result.discoveries.map { "\($0.locator)" } == ["a.log › line 370001"])
    #expect(result.summary.files.map(\.values) == [370_001])
    #expect(result.summary.files.map(\.verdict) == [.plaintext])
    #expect(result.summary.rawBytes == text.count)
  }

  @Test func canariesAtTheBordersOfPiecesAreFoundOnce() throws {
    let line = "a line of a log that says nothing at all, over and over\n"
    let lines = (17 << 20) / line.utf8.count
    // The border of the first two pieces is somewhere in the last lines.
    let first = (15 << 20) / line.utf8.count
    let encoded = Data(Data(Self.typed.utf8).base64EncodedString().utf8).base64EncodedString()
    var text: [UInt8] = []
    var expected: [String] = []
    for number in 1...lines {
      switch number % 4001 {
      case 1 where number > first: text += Array("page \(Self.typed)\n".utf8)
      case 2 where number > first: text += Array("page \(encoded) \(Self.typed)\n".utf8)
      case 3 where number > first: text += Array("page \(encoded)\n".utf8)
      default:
        text += Array(line.utf8)
        continue
      }
      expected.append("a.log › line \(number)")
    }
    let folder = try ScratchFolder()
    try folder.write("a.log", text)
    let result = try scan(folder.path + "/a.log")
    #expect(Set(result.discoveries.map { "\($0.locator)" }) == Set(expected))
    #expect(result.discoveries.count == expected.count)
  }

  @Test func aCanaryInAHoleyFileIsFoundAndTheHoleIsSkipped() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/a.bin"
    #expect(FileManager.default.createFile(atPath: path, contents: Data([1, 2, 3, 0])))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let place: UInt64 = 300 << 20
    try handle.seek(toOffset: place)
    try handle.write(contentsOf: Data("page \(Self.typed)".utf8))
    try handle.close()
    let result = try scan(path)
    #expect(result.discoveries.map { "\($0.locator)" } == ["a.bin › byte \(place + 5)"])
    #expect(result.summary.rawBytes < 8 << 20)
  }
}
