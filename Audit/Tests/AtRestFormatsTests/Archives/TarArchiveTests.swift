import AtRestFormats
import Testing

@Suite struct TarArchiveTests {
  private func entries(_ bytes: [UInt8]) throws -> ([TarArchive.Entry], [Skip]) {
    var entries: [TarArchive.Entry] = []
    let skipped = try TarArchive.read(ByteSource(bytes), path: "t") { entries.append($0) }
    return (entries, skipped)
  }

  @Test(arguments: ["ustar", "pax", "gnu"]) func eachKindIsRead(_ kind: String) throws {
    let bytes = try Fixture.bytes("Made/\(kind).tar")
    let (entries, skipped) = try entries(bytes)
    #expect(skipped.isEmpty)
    let long =
      "folder/" + String(repeating: "n", count: kind == "ustar" ? 60 : 150) + "/"
      + String(repeating: "m", count: 60) + ".txt"
    let names =
      ["folder/", "folder/a.txt", long, "link"] + (kind == "pax" ? ["folder/ä中.txt"] : [])
    #expect(entries.map { $0.name == "folder" ? "folder/" : $0.name } == names)
    #expect(entries.prefix(4).map(\.kind) == [.folder, .file, .file, .symbolicLink])
    #expect(entries[3].target == "folder/a.txt")
    let file = entries[1]
    #expect(Array(bytes[file.offset..<file.offset + file.size]) == Array("hello\n".utf8))
    #expect(file.modified?.timeIntervalSince1970 == 1_700_000_000)
    #expect(entries[2].size == 1000)
  }

  @Test func whatIsCutOffIsReported() throws {
    let (entries, skipped) = try entries(Array(Fixture.bytes("Made/gnu.tar").prefix(2048)))
    #expect(entries.count == 2)
    #expect(skipped.count == 1)
  }

  @Test func aNameForAllEntriesNamesNone() throws {
    // The header before each file becomes a global header, which applies to all files after it.
    var bytes = try Fixture.bytes("Made/pax.tar")
    for start in stride(from: 0, to: bytes.count, by: 512) {
      let head = Array(bytes[start..<start + 512])
      guard TarArchive.isHeader(head), head[156] == UInt8(ascii: "x") else { continue }
      bytes[start + 156] = UInt8(ascii: "g")
      let sum = (0..<512).reduce(0) { sum, index in
        sum + ((148..<156).contains(index) ? 0x20 : Int(bytes[start + index]))
      }
      let digits = String(sum, radix: 8)
      let field = String(repeating: "0", count: 6 - digits.count) + digits
      bytes.replaceSubrange(start + 148..<start + 154, with: field.utf8)
    }
    let (entries, skipped) = try entries(bytes)
    #expect(skipped.isEmpty)
    #expect(entries.allSatisfy { $0.name.utf8.count <= 100 })
  }

  @Test func anotherFileIsRefused() {
    #expect(throws: FormatError.self) { try entries([UInt8](repeating: 65, count: 1024)) }
  }

  @Test(arguments: ["pax", "gnu"]) func brokenFilesAreSurvived(_ kind: String) throws {
    Hostile.forms(of: try Fixture.bytes("Made/\(kind).tar")) { _ = try? entries($0) }
  }
}
