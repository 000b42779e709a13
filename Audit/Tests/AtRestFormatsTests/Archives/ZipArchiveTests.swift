import AtRestFormats
import Foundation
import Testing

@Suite struct ZipArchiveTests {
  @Test func entriesAreReadInChunks() throws {
    let archive = try ZipArchive(Fixture.source("Made/plain.zip"))
    #expect(archive.entries.map(\.name) == ["big.txt", "plain.txt"])
    var text: [UInt8] = []
    try archive.read(archive.entries[0], limit: 20_000) { text += $0 }
    #expect(text == Array(String(repeating: "line of text\n", count: 1000).utf8))
    #expect(try archive.read(archive.entries[1], limit: 100) == Data("stored".utf8))
  }

  @Test func fieldsOf64BitsAreRead() throws {
    let archive = try ZipArchive(Fixture.source("Made/wide.zip"))
    let entry = try #require(archive.entries.first)
    let text = String(repeating: "wide entry ", count: 20)
    #expect(try archive.read(entry, limit: 1000) == Data(text.utf8))
  }

  @Test func bytesBeforeTheArchiveAreAllowed() throws {
    let archive = try ZipArchive(
      ByteSource([UInt8](repeating: 7, count: 100) + Fixture.bytes("Made/plain.zip")))
    #expect(try archive.read(archive.entries[1], limit: 100) == Data("stored".utf8))
  }

  /// The directory begins with the first of its entries.
  private func withoutDirectory(_ bytes: [UInt8]) throws -> [UInt8] {
    let start = try #require(Data(bytes).range(of: Data([0x50, 0x4B, 1, 2])))
    return Array(bytes[..<start.lowerBound])
  }

  @Test(arguments: ["plain", "wide"])
  func entriesAreFoundWithoutADirectory(_ name: String) throws {
    let bytes = try Fixture.bytes("Made/\(name).zip")
    let whole = try ZipArchive(ByteSource(bytes))
    let archive = try ZipArchive(ByteSource(withoutDirectory(bytes)))
    #expect(archive.entries.map(\.name) == whole.entries.map(\.name))
    for (entry, other) in zip(archive.entries, whole.entries) {
      #expect(try archive.read(entry, limit: 20_000) == whole.read(other, limit: 20_000))
    }
    #expect(archive.skipped.map(\.reason).filter { $0.contains("directory") }.count == 1)
    #expect(whole.skipped.isEmpty)
    #expect(throws: FormatError.self) { try ZipArchive(Data(withoutDirectory(bytes))) }
  }

  @Test func anEntryThatIsCutIsReadAsFarAsItGoes() throws {
    let bytes = try withoutDirectory(Fixture.bytes("Made/plain.zip"))
    let archive = try ZipArchive(ByteSource(Array(bytes.prefix(90))))
    let entry = try #require(archive.entries.first)
    var text: [UInt8] = []
    #expect(throws: FormatError.self) { try archive.read(entry, limit: 20_000) { text += $0 } }
    #expect(text.starts(with: Array("line of text\n".utf8)))
  }

  /// `zip -` and Java write the sizes of an entry behind its contents.
  @Test func sizesBehindTheContentsAreFound() throws {
    var bytes = try withoutDirectory(Fixture.bytes("Made/plain.zip"))
    let second = try #require(Data(bytes.dropFirst(4)).range(of: Data([0x50, 0x4B, 3, 4])))
    let end = second.lowerBound + 4
    let sizes = bytes[14..<18] + [0xC8, 0x32, 0, 0, 0xC8, 0x32, 0, 0]
    bytes[6] |= 8
    bytes.replaceSubrange(14..<26, with: [UInt8](repeating: 0, count: 12))
    bytes.insert(contentsOf: [0x50, 0x4B, 7, 8] + sizes, at: end)
    let archive = try ZipArchive(ByteSource(bytes))
    #expect(archive.entries.map(\.name) == ["big.txt", "plain.txt"])
    #expect(try archive.read(archive.entries[0], limit: 20_000).count == 13_000)
    #expect(try archive.read(archive.entries[1], limit: 100) == Data("stored".utf8))
    // Without the sizes, the entry goes to the end of the file.
    let cut = try ZipArchive(ByteSource(Array(bytes[..<end])))
    var count = 0
    #expect(throws: FormatError.self) {
      try cut.read(cut.entries[0], limit: 20_000) { count += $0.count }
    }
    #expect(count == 13_000)
  }

  @Test func joinedArchivesAreBothRead() throws {
    let (first, last) = (try Fixture.bytes("Made/plain.zip"), try Fixture.bytes("Made/wide.zip"))
    let archive = try ZipArchive(ByteSource(first + last))
    let names = try [first, last].flatMap { try ZipArchive(ByteSource($0)).entries.map(\.name) }
    #expect(archive.entries.map(\.name) == names)
    #expect(try archive.read(archive.entries[1], limit: 100) == Data("stored".utf8))
    let twice = try ZipArchive(ByteSource(first + first))
    #expect(twice.entries.map(\.name) == ["big.txt", "plain.txt", "big.txt", "plain.txt"])
  }

  @Test func anArchiveBehindOtherBytesIsRecognised() throws {
    let bytes = try [UInt8](repeating: 7, count: 100) + Fixture.bytes("Made/plain.zip")
    #expect(try FileType.read(ByteSource(bytes)) == .zip)
    #expect(
      try ZipArchive(ByteSource(bytes)).skipped.map(\.reason) == [
        "The zip archive is behind 100 other bytes."
      ])
  }

  /// Each header claims that its contents reach to the end of the file.
  @Test func manyHeadersWithoutSizesTakeLittleTime() throws {
    var header: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 8, 0, 8, 0] + [UInt8](repeating: 0, count: 20)
    header[26] = 1
    let bytes: [UInt8] = (0..<40_000).flatMap { _ in header + [0x61] }
    let start = ContinuousClock.now
    let archive = try ZipArchive(ByteSource(bytes))
    #expect(archive.entries.count == 40_000)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func anEntryLargerThanTheLimitIsRefused() throws {
    let archive = try ZipArchive(Fixture.source("Made/plain.zip"))
    #expect(throws: FormatError.self) { try archive.read(archive.entries[0], limit: 100) }
  }

  @Test(arguments: ["plain", "wide"]) func brokenFilesAreSurvived(_ name: String) throws {
    Hostile.forms(of: try Fixture.bytes("Made/\(name).zip")) {
      guard let archive = try? ZipArchive(ByteSource($0)) else { return }
      for entry in archive.entries { try? archive.read(entry, limit: 1 << 20) { _ in } }
    }
    Hostile.forms(of: try withoutDirectory(Fixture.bytes("Made/\(name).zip"))) {
      guard let archive = try? ZipArchive(ByteSource($0)) else { return }
      for entry in archive.entries { try? archive.read(entry, limit: 1 << 20) { _ in } }
    }
  }
}
