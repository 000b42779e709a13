import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// The output of a damaged file: no byte of the bad chunk, and no partial file.
@Suite struct ReleaseTests {
  private static func damaged(_ folder: TestFolder, chunk: Int, of count: Int) throws -> Data {
    let data = TestFolder.bytes(count * TestFolder.chunkSize)
    try folder.files.write(data, to: folder.path("a"))
    var stored = StoredBytes(try folder.stored("a"))
    stored.bytes[stored.chunks[chunk].lowerBound + 500] ^= 1
    try stored.bytes.write(to: folder.path("a"))
    return data
  }

  @Test func noFileIsLeft() throws {
    let folder = try TestFolder()
    _ = try Self.damaged(folder, chunk: 3, of: 5)
    #expect(
      refusal {
        try folder.files.unprotect(.file(folder.path("a")), to: .file(folder.path("b")))
      } == .damaged)
    #expect(folder.names == ["a"])
  }

  @Test func aFileThatIsReplacedStays() throws {
    let folder = try TestFolder()
    _ = try Self.damaged(folder, chunk: 0, of: 2)
    try Data("before".utf8).write(to: folder.path("b"))
    #expect(
      refusal {
        try folder.files.unprotect(
          .file(folder.path("a")), to: .file(folder.path("b"), replacing: true))
      } == .damaged)
    #expect(try folder.stored("b") == Data("before".utf8))
    #expect(folder.names == ["a", "b"])
  }

  @Test func memoryIsUntouched() throws {
    let folder = try TestFolder()
    let data = try Self.damaged(folder, chunk: 1, of: 3)
    let handle = try folder.files.open(folder.path("a"))
    var memory = [UInt8](repeating: 0xEE, count: 1_024)
    #expect(
      refusal { try memory.withUnsafeMutableBytes { try handle.read(into: $0, at: 1_024) } }
        == .damaged)
    #expect(memory.allSatisfy { $0 == 0xEE })
    // Control: the neighbouring chunks are returned.
    #expect(try memory.withUnsafeMutableBytes { try handle.read(into: $0, at: 2_048) } == 1_024)
    #expect(Data(memory) == data[2_048...])
  }

  /// Output comes in batches of 256 KiB: those before the bad one, or fewer.
  @Test(arguments: [0, 5, 1_100, 2_300]) func aPipeGetsNothingBeyondTheDamage(
    _ chunk: Int
  ) throws {
    let folder = try TestFolder()
    let data = try Self.damaged(folder, chunk: chunk, of: 2_400)
    let pipe = Pipe()
    let reader = PipeReader(pipe)
    #expect(
      refusal {
        try folder.files.unprotect(
          .file(folder.path("a")), to: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
      } == .damaged)
    let received = reader.finish()
    #expect(received.count <= chunk * TestFolder.chunkSize)
    #expect(received == data.prefix(received.count))
  }

  @Test func verifySaysWhere() throws {
    let folder = try TestFolder()
    _ = try Self.damaged(folder, chunk: 3, of: 5)
    let path = folder.path("a").path
    do {
      try folder.files.verify(folder.path("a"))
      Issue.record("not refused")
    } catch let error as AtRestError {
      #expect(error.code == .damaged)
      #expect(error.message.contains(path) && error.message.contains("chunk 3"))
    }
  }
}
