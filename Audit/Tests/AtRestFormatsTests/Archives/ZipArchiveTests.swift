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

  @Test func anEntryLargerThanTheLimitIsRefused() throws {
    let archive = try ZipArchive(Fixture.source("Made/plain.zip"))
    #expect(throws: FormatError.self) { try archive.read(archive.entries[0], limit: 100) }
  }

  @Test(arguments: ["plain", "wide"]) func brokenFilesAreSurvived(_ name: String) throws {
    Hostile.forms(of: try Fixture.bytes("Made/\(name).zip")) {
      guard let archive = try? ZipArchive(ByteSource($0)) else { return }
      for entry in archive.entries { try? archive.read(entry, limit: 1 << 20) { _ in } }
    }
  }
}
