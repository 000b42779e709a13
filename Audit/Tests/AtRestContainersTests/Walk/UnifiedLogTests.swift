import AtRestContainers
import AtRestFormats
import Foundation
import Testing

@Suite struct UnifiedLogTests {
  private static let typed = "violet-kestrel-48"

  private func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func chunk(_ tag: Int, _ bytes: [UInt8]) -> [UInt8] {
    little(tag, 4) + little(0x11, 4) + little(bytes.count, 8) + bytes
      + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }

  /// Apple's stream of LZ4 with one block that has only literals.
  private func packed(_ bytes: [UInt8]) -> [UInt8] {
    let block =
      [0xF0] + [UInt8](repeating: 255, count: (bytes.count - 15) / 255)
      + [UInt8((bytes.count - 15) % 255)] + bytes
    return Array("bv41".utf8) + little(bytes.count, 4) + little(block.count, 4) + block
      + Array("bv4$".utf8)
  }

  private func log() -> [UInt8] {
    let line =
      little(0x6001, 4) + [UInt8](repeating: 1, count: 60) + [0x22, 4]
      + Array("\(Self.typed)\0".utf8) + [UInt8](repeating: 3, count: 300)
    return chunk(0x1000, [UInt8](repeating: 0, count: 0xD0))
      + chunk(0x600B, Array("org.example.bank\0network\0".utf8)) + chunk(0x600D, packed(line))
  }

  private func scan(_ bytes: [UInt8]) throws -> (places: [String], problems: [String]) {
    let canary = try Canary(name: "typed", value: Self.typed)
    let files = ["Logs/0000000000000001.tracev3": bytes]
    let result = try ContainerScan(ContainerSource(files: files), canaries: [canary]).run()
    return (
      result.discoveries.map { "\($0.locator)" }, result.summary.problems.map(\.reason)
    )
  }

  @Test func textsOfPackedLinesAreFound() throws {
    let (places, problems) = try scan(log())
    #expect(places == ["Logs/0000000000000001.tracev3 › byte 288 › lz4 › byte 66"])
    #expect(problems == [])
    #expect(try FileType.read(ByteSource(log())) == .unifiedLog)
  }

  @Test func aLogThatIsCutIsNamed() throws {
    let (_, problems) = try scan(Array(log().dropLast(60)))
    #expect(problems.contains { $0.contains("cut off") })
  }

  @Test func brokenLogsAreSurvived() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<600 {
      var bytes = log()
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? UnifiedLog.read(ByteSource(bytes), limit: 1 << 20, path: "a") { _ in }
    }
  }
}
