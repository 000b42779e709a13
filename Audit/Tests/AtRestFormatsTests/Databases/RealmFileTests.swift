import AtRestFormats
import Testing

@Suite struct RealmFileTests {
  /// A header, an array of two short texts, an array of bytes, and a text that is in no array.
  private static let sample: [UInt8] =
    [24] + [UInt8](repeating: 0, count: 15) + Array("T-DB".utf8) + [9, 9, 0, 0]
    + Array("AAAA".utf8) + [0x0D, 0, 0, 2] + Array("pk_table".utf8) + [0, 0, 0, 0, 0, 0, 0, 7]
    + Array("owner".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]
    + Array("AAAA".utf8) + [0x11, 0, 0, 12] + Array("first\0second".utf8) + [0, 0, 0, 0]
    + Array("left over".utf8) + [0, 0, 0, 0, 0, 0, 0]

  @Test func textsAreReadWithTheirPlaces() throws {
    var texts: [RealmFile.Text] = []
    try RealmFile.read(ByteSource(Self.sample)) { texts.append($0) }
    #expect(texts.map(\.text) == ["pk_table", "owner", "first", "second", "left over"])
    #expect(texts.map(\.offset) == [32, 48, 72, 78, 88])
  }

  @Test func theHeaderIsRead() throws {
    let header = try RealmFile.header(ByteSource(Self.sample))
    #expect(header.version == 9)
    #expect(header.root == 24)
  }

  @Test func anEncryptedFileIsRefused() {
    #expect(throws: FormatError("This is not a Realm database, or it is encrypted.", offset: 0)) {
      try RealmFile.read(ByteSource([UInt8](repeating: 0xA7, count: 4096))) { _ in }
    }
  }

  @Test func brokenFilesAreSurvived() {
    Hostile.forms(of: Self.sample) { try? RealmFile.read(ByteSource($0)) { _ in } }
  }
}
