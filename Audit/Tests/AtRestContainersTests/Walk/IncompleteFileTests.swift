import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// A file of a known format that was cut, is behind other bytes or was joined with another is recognised, searched as far
/// as it goes, and named as incomplete.
@Suite struct IncompleteFileTests {
  private static let typed = "violet-kestrel-48"

  /// The places of what was typed, and the reasons for which the file is not complete.
  private func scan(_ name: String, _ bytes: [UInt8], _ typed: String = typed) throws -> (
    places: [String], problems: [String]
  ) {
    let result = try ContainerScan(
      ContainerSource(files: [name: bytes]), canaries: [Canary(name: "typed", value: typed)]
    ).run()
    return (
      result.discoveries.map { "\($0.locator)" }, result.summary.problems.map(\.reason)
    )
  }

  /// A text that is not found without unpacking, with other text behind it.
  private static let text = Array(
    "A page with \(typed) in it.\n".utf8 + (0..<400).flatMap { "Line \($0 * 7919).\n".utf8 })

  private static func store(_ name: String) throws -> [UInt8] {
    let url = Bundle.module.url(forResource: "Fixtures/Tools/typed/\(name)", withExtension: nil)
    return [UInt8](try Data(contentsOf: try #require(url)))
  }

  @Test func anArchiveWithoutADirectory() throws {
    let bytes = Packing.zip("note.txt", Self.text)
    let end = try #require(Data(bytes).range(of: Data([0x50, 0x4B, 1, 2]))).lowerBound
    let (places, problems) = try scan("a.zip", Array(bytes[..<end]))
    #expect(places == ["a.zip › note.txt › line 1"])
    #expect(problems.count == 1 && problems[0].contains("directory"))
    let cut = try scan("a.zip", Array(bytes[..<(end / 2)]))
    #expect(cut.places == ["a.zip › note.txt › line 1"])
    #expect(cut.problems.contains { $0.contains("cut off") })
  }

  @Test func anArchiveBehindOtherBytes() throws {
    let zip = Packing.zip("note.txt", Self.text)
    let noise: [UInt8] = [0x43, 0x72, 0x32, 0x34, 3, 0, 0, 0, 0x45, 2, 0, 0, 0x12, 0xAC, 4, 0xFF]
    let (places, problems) = try scan("a.crx", noise + zip)
    #expect(places == ["a.crx › note.txt › line 1"])
    #expect(problems == ["The zip archive is behind 16 other bytes."])
    let end = try #require(Data(zip).range(of: Data([0x50, 0x4B, 1, 2]))).lowerBound
    let cut = try scan("a.crx", noise + zip[..<end])
    #expect(cut.places == ["a.crx › byte 16 › zip › note.txt › line 1"])
    #expect(cut.problems.count == 2)
  }

  @Test func anArchiveBehindAPicture() throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xD9]
    let (places, problems) = try scan("a.jpg", picture + Packing.zip("note.txt", Self.text))
    #expect(places == ["a.jpg › zip › note.txt › line 1"])
    #expect(problems.count == 1)
  }

  @Test func compressedTextBehindOtherBytes() throws {
    let head: [UInt8] = [0x81, 0, 0xFE, 3] + [UInt8](repeating: 0xC1, count: 70_000)
    let (places, problems) = try scan("a.bin", head + Packing.gzip(Self.text))
    #expect(places == ["a.bin › byte 70004 › gzip › line 1"])
    #expect(problems == ["Data in the format gzip is behind 70004 other bytes."])
  }

  @Test func aDatabaseBehindOtherBytes() throws {
    var database = DatabaseFile()
    let encoded = Data("a page with \(Self.typed)".utf8).base64EncodedString()
    database.add(
      table: "notes", "CREATE TABLE notes (body TEXT)", rows: [[.text("{\"x\": \"\(encoded)\"}")]])
    let (places, problems) = try scan("a.db", [1, 2, 0xFF] + database.bytes)
    #expect(places == ["a.db › byte 3 › sqlite › notes, row 1, body › json › x › base64"])
    #expect(problems.count == 1)
  }

  @Test(arguments: [0.9, 0.5]) func compressedTextThatIsCut(_ share: Double) throws {
    for (name, bytes) in [
      ("a.gz", Packing.gzip(Self.text)), ("a.lz4", Packing.lz4(Self.text)),
    ] {
      let cut = Array(bytes[..<Int(Double(bytes.count) * share)])
      let (places, problems) = try scan(name, cut)
      #expect(places.count == 1, "\(name)")
      #expect(!problems.isEmpty, "\(name)")
    }
  }

  @Test func aTableWithoutItsEnd() throws {
    let typed = CanaryContainer.value(81)
    let bytes = try Self.store("leveldb.ldb")
    let (places, problems) = try scan("1.ldb", Array(bytes.dropLast(30)), typed)
    #expect(places == ["1.ldb › notes/0150 › json › text"])
    #expect(problems.count == 1)
  }

  @Test func aLogWithoutItsBeginning() throws {
    let typed = CanaryContainer.value(83)
    let bytes = try Self.store("leveldb.log")
    let (places, problems) = try scan("1.log", Array(bytes.dropFirst(20)), typed)
    #expect(places == ["1.log › kept/\(typed) › key"])
    #expect(problems.count == 1)
  }

  private static func canary(_ name: String) throws -> [UInt8] {
    let url = Bundle.module.url(forResource: "Fixtures/Canaries/typed/\(name)", withExtension: nil)
    return [UInt8](try Data(contentsOf: try #require(url)))
  }

  /// A commit writes the pages that it changed to the log, and the first page with the first table.
  @Test func aLogWithoutItsDatabase() throws {
    let log = try Self.canary("log.sqlite-wal")
    let (places, problems) = try scan("a.sqlite-wal", log, CanaryContainer.value(10))
    #expect(places == ["a.sqlite-wal › notes, row 2, body"])
    #expect(problems.first == "The database of the write-ahead log is missing.")
  }

  @Test func aLogWithoutItsHeader() throws {
    let (main, log) = (try Self.canary("older.sqlite"), try Self.canary("older.sqlite-wal"))
    for length in [32, 500] {
      let files = ["a.sqlite": main, "a.sqlite-wal": Array(log.dropFirst(length))]
      let canary = try Canary(name: "typed", value: CanaryContainer.value(58))
      let result = try ContainerScan(ContainerSource(files: files), canaries: [canary]).run()
      let places = result.discoveries.map { "\($0.locator)" }
      #expect(places.contains { $0.hasPrefix("a.sqlite › write-ahead log › deleted") }, "\(places)")
      #expect(result.summary.problems.contains { $0.reason.contains("header of the WAL") })
    }
  }

  /// Texts of CBOR may be in pieces (RFC 8949, 3.2.3), as streaming encoders write them.
  @Test func textInPieces() throws {
    func text(_ text: some StringProtocol) -> [UInt8] {
      [0x60 | UInt8(text.utf8.count)] + text.utf8
    }
    let pieces = text(Self.typed.prefix(7)) + text(Self.typed.dropFirst(7))
    let bytes = [0xBF] + text("note") + [0x7F] + pieces + [0xFF, 0xFF]
    let (places, problems) = try scan("a.cbor", bytes)
    #expect(places == ["a.cbor › cbor › note"])
    #expect(problems == [])
  }
}
