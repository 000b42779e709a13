import AtRestFormats
import Foundation
import Testing

@Suite struct ByteSourceTests {
  @Test func aFileReadsLikeMemory() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a").path
    try Data([1, 2, 3, 4]).write(to: URL(filePath: path))
    let file = try ByteSource(file: path)
    #expect(file.count == 4)
    #expect(try file.read(1..<3) == ByteSource([1, 2, 3, 4]).read(1..<3))
    #expect(try file.prefix(9) == [1, 2, 3, 4])
  }

  @Test func beyondTheEndIsAnError() {
    #expect(throws: FormatError("The file ends before it should.", offset: 1)) {
      try ByteSource([1, 2]).read(1..<3)
    }
  }

  @Test func aFolderIsNoFile() {
    #expect(throws: FormatError("This is not a regular file.")) { try ByteSource(file: "/") }
  }
}
