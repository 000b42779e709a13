import AtRestFormats
import Testing

@Suite struct MachOTests {
  private func program(_ name: String = "program") throws -> (ByteSource, MachO) {
    let source = try Fixture.source("Made/\(name).macho")
    return (source, try MachO(source, path: name))
  }

  @Test func whatAProgramNeedsAndMayIsRead() throws {
    let (_, program) = try program()
    let part = try #require(program.parts.first)
    #expect(program.skipped.isEmpty)
    #expect(part.architecture == "arm64")
    #expect(part.imports == ["_SecItemAdd", "_NSLog"])
    #expect(part.libraries == ["/System/Library/Frameworks/Security.framework/Security"])
    #expect(part.isEncrypted)
    #expect(part.entitlements?.root?["get-task-allow"]?.isTrue == true)
    #expect(part.entitlements?.root?["keychain-access-groups"]?.strings == ["ABCDE12345.shared"])
    #expect(
      part.infoPropertyList?.root?["CFBundleIdentifier"]?.string == "com.example.sample")
  }

  @Test func textsAreReadWithTheirPlaces() throws {
    let (source, program) = try program()
    let section = try #require(program.parts.first?.sections.first { $0.holdsTexts })
    var texts: [String] = []
    try MachO.texts(of: section, in: source) { text, offset in
      texts.append(text)
      #expect((try? source.read(offset..<offset + text.utf8.count)) == Array(text.utf8))
    }
    #expect(texts == ["api-key-0123456789abcdef", "token=%s"])
  }

  @Test func anObjectOfACompilerIsRead() throws {
    let (_, object) = try program("object")
    #expect(object.parts.map(\.architecture) == ["x86_64"])
    #expect(object.parts.first.map { Set($0.imports) } == ["_NSLog", "_SecItemAdd"])
    #expect(object.parts.first?.isEncrypted == false)
  }

  @Test func aFatFileHasAPartAProcessor() throws {
    var bytes: [UInt8] = []
    try Gzip.read(Fixture.source("Made/fat.macho.gz"), limit: 1 << 20) { bytes += $0 }
    let program = try MachO(ByteSource(bytes), path: "fat")
    #expect(program.parts.map(\.architecture) == ["arm64", "x86_64"])
    #expect(program.parts[0].entitlements != nil)
    Hostile.forms(of: bytes, changes: 300) { _ = try? MachO(ByteSource($0), path: "fat") }
  }

  @Test func brokenFilesAreSurvived() throws {
    Hostile.forms(of: try Fixture.bytes("Made/program.macho")) {
      _ = try? MachO(ByteSource($0), path: "p")
    }
  }
}
