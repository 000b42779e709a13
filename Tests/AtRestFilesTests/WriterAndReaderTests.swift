import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// For everyone except the handle that is changing it, a file is as it was last committed.
@Suite struct WriterAndReaderTests {
  /// More bytes than a handle keeps in memory, so some of them are already after the file's end.
  private static let much = TestFolder.bytes(100_000, seed: 3)

  @Test(arguments: [false, true]) func whoOpensAFileThatGrowsSeesItAsItWas(
    _ wasChanged: Bool
  ) throws {
    let folder = try TestFolder()
    var old = TestFolder.bytes(5_000)
    try folder.files.write(old, to: folder.path("a"))
    let writer = try folder.files.open(folder.path("a"), for: .updating)
    if wasChanged {
      try writer.write(Data([9]), at: 0)
      old[0] = 9
      try writer.synchronize()
    }
    let stored = try folder.stored("a").count
    let before = try folder.files.open(folder.path("a"))
    try writer.append(Self.much)
    // Control: the writer has already written to the file.
    #expect(try folder.stored("a").count > stored)
    #expect(try folder.files.read(folder.path("a")) == old)
    #expect(try folder.files.open(folder.path("a")).readToEnd() == old)
    #expect(try before.readToEnd() == old)
    let description = try FileDescription(of: folder.path("a"))
    #expect(description.size == 5_000 && !description.hasInterruptedChange)
    #expect(try folder.files.verify(folder.path("a")).written == 5_000)
    try writer.synchronize()
    #expect(try folder.files.read(folder.path("a")) == old + Self.much)
    // A reader from before reads again while the next change is pending.
    try writer.append(Self.much)
    #expect(try before.size() == 105_000)
    writer.discard()
    #expect(try folder.files.read(folder.path("a")) == old + Self.much)
    #expect(folder.names == ["a"])
  }

  @Test func aPlantedJournalDoesNotHideWhatWasAdded() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(5_000), to: folder.path("a"))
    let good = try folder.stored("a")
    let writer = try folder.files.open(folder.path("a"), for: .updating)
    try writer.append(Self.much)
    var journal = try folder.stored("a.atrest-journal")
    writer.discard()
    // Flips a bit of the code that follows the header and the size.
    journal[14 + 256 + 8] ^= 1
    let open = try FileHandle(
      forUpdating: {
        try journal.write(to: folder.path("a.atrest-journal"))
        return folder.path("a.atrest-journal")
      }())
    // Holds the lock as an active writer would.
    #expect(flock(open.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    try (good + TestFolder.bytes(2_000)).write(to: folder.path("a"))
    #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged)
  }

  @Test func aHandleWhoseFilesWereLetGoOfIsLocked() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("x".utf8), to: folder.path("a"), protection: .complete)
    let handle = try ProtectedFiles(folder.keybag).open(folder.path("a"), for: .updating)
    try handle.append(Data("y".utf8))
    let journal = folder.path("a.atrest-journal")
    let before = try Data(contentsOf: journal).count
    folder.keybag.lock()
    // Data that was only in memory was sealed, which shows that the handle received the lock.
    #expect(try Data(contentsOf: journal).count > before)
    try folder.unlock()
    try handle.close()
    #expect(try folder.files.read(folder.path("a")) == Data("xy".utf8))
  }

  @Test func aFileWithTwoNamesIsNotChangedInPlace() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("x".utf8), to: folder.path("a"))
    #expect(link(folder.path("a").path, folder.path("b").path) == 0)
    #expect(
      refusal { try folder.files.open(folder.path("b"), for: .updating) } == .invalidArgument)
    #expect(
      refusal { try folder.files.setProtection(.none, of: folder.path("a")) } == .invalidArgument)
    #expect(try folder.files.read(folder.path("b")) == Data("x".utf8))
    #expect(unlink(folder.path("b").path) == 0)
    try folder.files.open(folder.path("a"), for: .updating).close()
  }

  @Test func aFileThatWasMovedAwayIsLeftToItsNewWriter() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(2_000), to: folder.path("a"))
    let first = try folder.files.open(folder.path("a"), for: .updating)
    try first.write(Data([1]), at: 0)
    #expect(rename(folder.path("a").path, folder.path("b").path) == 0)
    let second = try folder.files.open(folder.path("b"), for: .updating)
    try second.append(Self.much)
    try second.close()
    #expect(refusal { try first.close() } == .notFound)
    #expect(try folder.files.read(folder.path("b")) == TestFolder.bytes(2_000) + Self.much)
    #expect(folder.names == ["b"])
  }

  @Test func aFileThatWasReplacedIsNotWrittenTo() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.append(Self.much)
    try folder.files.write(Data("new".utf8), to: folder.path("a"))
    #expect(refusal { try handle.synchronize() } == .notFound)
    #expect(refusal { try handle.close() } == .notFound)
    #expect(try folder.files.read(folder.path("a")) == Data("new".utf8))
    #expect(folder.names == ["a"])
  }
}
