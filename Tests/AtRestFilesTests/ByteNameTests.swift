import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// A file whose name is not UTF-8 is reached by a URL in which each such byte has a character of its own.
@Suite struct ByteNameTests {
  private static let name: [UInt8] = Array("caf".utf8) + [0xe9]
  private static let form = "caf\u{10ffe9}"

  private func names(_ folder: TestFolder) throws -> [[UInt8]] {
    try #require(OpenFolder.opened(folder.url.path)).names()
  }

  @Test func itIsWrittenReadAndChanged() throws {
    let folder = try TestFolder()
    let url = folder.path(Self.form)
    try folder.files.write(TestFolder.bytes(3_000), to: url)
    #expect(try names(folder) == [Self.name])
    #expect(try folder.files.read(url) == TestFolder.bytes(3_000))
    // Changes in place have a journal beside the file.
    let handle = try folder.files.open(url, for: .updating)
    try handle.write(Data("changed".utf8), at: 1_000)
    try handle.close()
    #expect(try folder.files.read(url)[1_000..<1_007].elementsEqual("changed".utf8))
    try folder.files.setProtection(.complete, of: url)
    #expect(try FileDescription(of: url).protection == .complete)
    #expect(try names(folder) == [Self.name])
  }

  /// Control: the text without the byte's own character is another file.
  @Test func aRepairedNameIsAnotherFile() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(10), to: folder.path(Self.form))
    #expect(throws: AtRestError.self) { _ = try folder.files.read(folder.path("caf\u{fffd}")) }
  }
}
