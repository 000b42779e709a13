import AtRestFormats
import Foundation
import Testing

/// Damaged and hostile databases: everything readable is read, and the rest is reported.
@Suite struct SQLiteDamageTests {
  /// Reads all rows and remnants, and returns what was skipped.
  @discardableResult
  private func readAll(_ file: SQLiteFile) -> [Skip] {
    var size = 0
    let skips = file.forEachRow { _, row in size &+= row.values.count }
    return file.skipped + skips + file.forEachRemnant { size &+= $0.records.count }
  }

  @Test func aDamagedPageIsSkippedAndTheOthersAreRead() throws {
    let fixture = try SQLiteFixture("generated.zip")
    var bytes = try #require(try fixture.bytes("deleted.db"))
    // The third page is a leaf of `messages`.
    for index in 2048..<2060 { bytes[index] = 0xFF }
    let (rows, skipped) = try SQLiteFile(ByteSource(bytes), path: "a.db").rows("messages")
    let all = try fixture.open("deleted.db").rows("messages").rows.count
    #expect(rows.count > all / 2)
    #expect(rows.count < all || skipped.isEmpty)
  }

  @Test func treesThatGoRoundInCirclesEnd() throws {
    var bytes = try #require(try SQLiteFixture("generated.zip").bytes("deleted.db"))
    let root = try #require(try SQLiteFile(ByteSource(bytes)).table("messages")?.rootPage)
    let start = (root - 1) * 1024
    // The root becomes its own last child.
    bytes.replaceSubrange(start + 8..<start + 12, with: [0, 0, 0, UInt8(root)])
    let (rows, skipped) = try SQLiteFile(ByteSource(bytes), path: "a.db").rows("messages")
    #expect(!rows.isEmpty)
    #expect(
      skipped == [Skip(path: "a.db", reason: "Page \(root) of messages is referenced twice.")])
  }

  @Test func chainsOfLongValuesThatGoRoundInCirclesEnd() throws {
    let fixture = try SQLiteFixture("generated.zip")
    var bytes = try #require(try fixture.bytes("plain-512-UTF-8.db"))
    let whole = try fixture.open("plain-512-UTF-8.db").rows("people").rows.count
    // Each page that may belong to a chain refers to itself as the next one.
    for page in 3..<bytes.count / 512 where bytes[page * 512] == 0 {
      bytes[page * 512 + 2] = UInt8((page + 1) >> 8)
      bytes[page * 512 + 3] = UInt8((page + 1) & 0xFF)
    }
    let (rows, skipped) = try SQLiteFile(ByteSource(bytes)).rows("people")
    #expect(rows.count == whole)
    #expect(skipped.contains { $0.reason.contains("is referenced twice") })
  }

  @Test func aListOfFreePagesThatGoesRoundInCirclesEnds() throws {
    var bytes = try #require(try SQLiteFixture("generated.zip").bytes("deleted.db"))
    let trunk = Int(bytes[34]) << 8 | Int(bytes[35])
    try #require(trunk > 0)
    bytes.replaceSubrange((trunk - 1) * 1024..<(trunk - 1) * 1024 + 4, with: bytes[32..<36])
    let skipped = try SQLiteFile(ByteSource(bytes)).forEachRemnant { _ in }
    #expect(
      skipped.map(\.reason) == ["Page \(trunk) of the list of free pages is referenced twice."])
  }

  @Test func aDatabaseThatIsCutOffIsReadAsFarAsItGoes() throws {
    let bytes = try #require(try SQLiteFixture("generated.zip").bytes("deleted.db"))
    let file = try SQLiteFile(ByteSource(Array(bytes.prefix(20_000))))
    #expect(file.skipped.map(\.reason) == ["The database ends within page 20."])
    let (rows, skipped) = try file.rows("messages")
    #expect(!rows.isEmpty)
    #expect(skipped.contains { $0.reason.contains("is not in the file") })
  }

  @Test func aLogWithADamagedFrameCountsUpToIt() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let main = ByteSource(try #require(try fixture.bytes("unfinished.db")))
    var wal = try #require(try fixture.bytes("unfinished.db-wal"))
    wal[32 + 24 + 1000] ^= 1
    let file = try SQLiteFile(main, wal: ByteSource(wal))
    #expect(
      file.skipped.map(\.reason) == [
        "The WAL is damaged at frame 1: the rest is treated as older states."
      ]
    )
    #expect(try file.rows("messages").rows.count == 20)
  }

  @Test func changesAreSurvived() throws {
    let fixture = try SQLiteFixture("generated.zip")
    var random = SeededGenerator(seed: 7)
    var reads = 0
    for name in ["deleted.db", "unfinished.db", "hot.db", "plain-512-UTF-16le.db"] {
      let main = try #require(try fixture.bytes(name))
      let wal = try fixture.bytes(name + "-wal")
      let journal = try fixture.bytes(name + "-journal")
      for round in 0..<550 {
        let parts = [main, wal ?? [], journal ?? []].map { part in
          var part = part
          for _ in 0..<Int.random(in: 1...20, using: &random) where !part.isEmpty {
            // Most of the structure that a reader follows is at the start of a page.
            let page = Int.random(in: 0..<part.count, using: &random) / 512 * 512
            let offset = Int.random(in: 0..<(round % 2 == 0 ? 512 : 16), using: &random)
            guard page + offset < part.count else { continue }
            part[page + offset] =
              [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? .random(in: 0...255)
          }
          return round % 5 == 0
            ? Array(part.prefix(Int.random(in: 0...part.count, using: &random))) : part
        }
        let file = try? SQLiteFile(
          ByteSource(parts[0]), wal: ByteSource(parts[1]), journal: ByteSource(parts[2]))
        if let file { readAll(file) }
        reads += 1
      }
    }
    #expect(reads >= 2000)
  }
}

/// Random numbers that are the same in each run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
