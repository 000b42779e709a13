import AtRestKeybag
import Foundation
import Testing

/// Each name of a file has one form as text, which leads to the same bytes again.
@Suite struct SystemPathTests {
  private static let names: [[UInt8]] = [
    Array("plain".utf8), Array("grün 日本 👩‍👩‍👧".utf8), Array("cafe\u{301}".utf8), [0x63, 0xe9], [0xff],
    [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0x80, 0x41],
    [0xf4, 0x90, 0x80, 0x80], Array("\u{10ffe9}".utf8), Array("a\u{10ff80}b".utf8) + [0xe9],
    Array("\u{10ff7f}\u{10fffd}".utf8), [0x80, 0x61, 0xfe],
  ]

  @Test(arguments: names) func bytesComeBack(_ name: [UInt8]) {
    let text = SystemPath.text(name)
    #expect(SystemPath.bytes(text) == name)
    SystemPath.with(text) { path in
      #expect(UnsafeRawBufferPointer(start: path, count: strlen(path)).elementsEqual(name))
    }
    // Foundation's paths and URLs keep the form.
    #expect(URL(fileURLWithPath: "/a/" + text).path == "/a/" + text)
    #expect(URL(fileURLWithPath: "/a").appendingPathComponent(text).path == "/a/" + text)
  }

  @Test func everyByteAndPairHasItsOwnForm() {
    var forms = Set<[Unicode.Scalar]>()
    for first in UInt8(1)...255 {
      #expect(SystemPath.bytes(SystemPath.text([first])) == [first])
      for second in UInt8(1)...255 {
        let form = SystemPath.text([first, second])
        #expect(SystemPath.bytes(form) == [first, second])
        forms.insert(Array(form.unicodeScalars))
      }
    }
    #expect(forms.count == 255 * 255)
  }

  /// Control: a name in UTF-8 is its own form, and another byte has the character of its number.
  @Test func theFormIsAsDocumented() {
    #expect(SystemPath.text("grün".utf8) == "grün")
    #expect(SystemPath.text([0x63, 0xe9]) == "c\u{10ffe9}")
    #expect(SystemPath.text("\u{10ffe9}".utf8) == "\u{10fff4}\u{10ff8f}\u{10ffbf}\u{10ffa9}")
  }

  /// The system resolves `..` after a link, and Foundation gets a path without it.
  @Test func theSystemResolvesDots() throws {
    let made = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-paths-\(UUID().uuidString)").path
    try SystemPath.makeFolders(made + "/real/inner")
    let folder = try #require(SystemPath.real(made))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "real/inner")
    #expect(SystemPath.url(folder + "/link/../new").path == folder + "/real/new")
    #expect(RealPath.of(URL(fileURLWithPath: folder + "/link/../new")) == folder + "/real/new")
    #expect(SystemPath.url(folder + "/./link//new/").path == folder + "/link/new")
    #expect(SystemPath.url(folder + "/link/..").path == folder + "/real")
    // What does not exist is left to the system, which then says so.
    #expect(SystemPath.url(folder + "/none/../new").path == folder + "/none/../new")
    #expect(SystemPath.url("/..").path == "/")
    let present = FileManager.default.currentDirectoryPath
    #expect(SystemPath.url("new").path == present + "/new")
    #expect(SystemPath.url(".").path == present)
    #expect(SystemPath.url("..").path == SystemPath.real(present + "/.."))
  }

  @Test func filesOfAnyNameAreReached() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-paths-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try SystemPath.makeFolders(folder + "/" + SystemPath.text([0xe9]) + "/b")
    let path = folder + "/" + SystemPath.text([0xe9, 0xff])
    let file = SystemPath.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    #expect(file >= 0)
    close(file)
    let open = try #require(OpenFolder.opened(folder))
    #expect(Set(try open.names()) == [[0xe9], [0xe9, 0xff]])
    #expect(
      SystemPath.status(path) != nil && open.status(of: SystemPath.text([0xe9, 0xff])) != nil)
    #expect(SystemPath.real(path)?.hasSuffix(SystemPath.text([0xe9, 0xff])) == true)
    #expect(SystemPath.rename(path, to: folder + "/a") && SystemPath.status(path) == nil)
  }
}
