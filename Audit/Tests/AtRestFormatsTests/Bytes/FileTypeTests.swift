import AtRestFormats
import Testing

@Suite struct FileTypeTests {
  private func type(_ text: String) -> FileType { FileType.read(Array(text.utf8), isWhole: true) }

  @Test(arguments: [
    ("program.macho", FileType.machO), ("fat.macho.gz", .gzip), ("object.macho", .machO),
    ("plain.zip", .zip), ("ustar.tar", .tar), ("pax.tar", .tar), ("gnu.tar", .tar),
    ("text.lz4", .lz4), ("text.bv4", .appleLZ4), ("text.bvx", .lzfse),
    ("profile.mobileprovision", .signedMessage),
  ]) func filesOfOtherToolsAreTold(_ name: String, _ type: FileType) throws {
    #expect(try FileType.read(Fixture.source("Made/\(name)")) == type)
  }

  @Test func realFilesAreTold() throws {
    for file in try Fixture.image("appCookies.appCookies.josh_ios17_ffs") {
      #expect(FileType.read(file.bytes) == .binaryCookies)
    }
    let images = ["keyboard.keyboardLexicon.mvs_ios_2023"]
    for file in try images.flatMap({ try Fixture.image($0) }) {
      #expect(FileType.read(file.bytes) == .keyboard)
    }
    let preferences = try Fixture.image("burnerCache.burnerCache_preferences.josh_ios15_ffs")
    #expect(preferences.allSatisfy { FileType.read($0.bytes) == .binaryPropertyList })
  }

  @Test func textsAreTold() {
    #expect(type(#" {"a": 1}"#) == .json)
    #expect(type("[1, 2]") == .json)
    #expect(type("[12:04:55] started") == .text)
    #expect(type("[INFO] started") == .text)
    #expect(type("<?xml version=\"1.0\"?><plist version=\"1.0\"/>") == .xmlPropertyList)
    #expect(type("<?xml version=\"1.0\"?><a/>") == .xml)
    #expect(type("<!DOCTYPE html><html>") == .html)
    #expect(type("grüße") == .text)
    #expect(type("") == .empty)
    #expect(FileType.read([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]) == .json)
    #expect(FileType.read([0x61, 0x00, 0x01, 0x9B, 0xC4]) == .unknown)
  }

  @Test func aCharacterCutOffAtTheEndOfTheHeadIsText() {
    let bytes = Array("grüße und weiter 中".utf8.dropLast())
    #expect(FileType.read(bytes) == .text)
    #expect(FileType.read(bytes, isWhole: true) == .unknown)
  }

  @Test func anyBytesAreSurvived() throws {
    for name in ["ustar.tar", "plain.zip", "program.macho", "profile.mobileprovision"] {
      Hostile.forms(of: try Fixture.bytes("Made/\(name)"), changes: 300) { _ = FileType.read($0) }
    }
  }
}
