import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct RoundTripTests {
  static let sizes = [0, 1, 1023, 1024, 1025, 4096, 100_000]

  @Test(arguments: sizes) func aFileComesBack(_ size: Int) throws {
    let folder = try TestFolder()
    let data = TestFolder.bytes(size)
    try folder.files.write(data, to: folder.path("a"))
    #expect(try folder.files.read(folder.path("a")) == data)
    #expect(try folder.files.verify(folder.path("a")).written == UInt64(size))
    #expect(folder.names == ["a"])
  }

  @Test(arguments: FileProtection.allCases) func everyClassOpensWhileUnlocked(
    _ protection: FileProtection
  ) throws {
    let folder = try TestFolder()
    let data = TestFolder.bytes(3000)
    try folder.files.write(data, to: folder.path("a"), protection: protection)
    #expect(try folder.files.read(folder.path("a")) == data)
  }

  @Test func plaintextIsNotInTheFile() throws {
    let folder = try TestFolder()
    let needle = Data("the quick brown fox".utf8)
    try folder.files.write(needle, to: folder.path("a"))
    #expect(try Data(contentsOf: folder.path("a")).range(of: needle) == nil)
  }

  @Test func oneContentIsNeverSealedAlike() throws {
    let folder = try TestFolder()
    let data = TestFolder.bytes(100)
    try folder.files.write(data, to: folder.path("a"))
    let first = try Data(contentsOf: folder.path("a"))
    try folder.files.write(data, to: folder.path("a"))
    let second = try Data(contentsOf: folder.path("a"))
    #expect(first.suffix(116) != second.suffix(116))
  }

  @Test func largeFilesOfTheDefaultChunk() throws {
    let folder = try TestFolder()
    let files = ProtectedFiles(folder.keybag)
    let data = TestFolder.bytes(2_000_001)
    try files.write(data, to: folder.path("a"))
    #expect(try files.read(folder.path("a")) == data)
  }
}
