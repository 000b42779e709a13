import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// After a crash left a journal behind, the file is either as before the change or as after it.
@Suite struct JournalTests {
  private static let old = TestFolder.bytes(1_100)
  private static var new: Data {
    var data = old
    data.replaceSubrange(1_000..<1_050, with: Data(count: 50))
    return data + Data("end".utf8)
  }

  /// A file and its journal, as stored at several moments of a change.
  private struct Moments {
    let folder: TestFolder
    let before: Data
    let after: Data
    /// The journal up to the last write, and with the end record that commits it.
    let uncommitted: Data
    let committed: Data

    init() throws {
      folder = try TestFolder()
      try folder.files.write(old, to: folder.path("a"), protection: FileProtection.none)
      before = try folder.stored("a")
      let handle = try folder.files.open(folder.path("a"), for: .updating)
      try handle.write(Data(count: 50), at: 1_000)
      try handle.append(Data("end".utf8))
      let journal = try JournalForger(before: StoredBytes(before), folder)
      try handle.close()
      after = try folder.stored("a")
      (uncommitted, committed) = journal.journals(after: StoredBytes(after))
    }

    func lay(_ file: Data, _ journal: Data) throws {
      try file.write(to: folder.path("a"))
      try journal.write(to: folder.path("a.atrest-journal"))
    }
  }

  @Test func aCommittedChangeIsFinished() throws {
    let moments = try Moments()
    try moments.lay(moments.before, moments.committed)
    #expect(try FileDescription(of: moments.folder.path("a")).hasInterruptedChange)
    #expect(try moments.folder.files.read(moments.folder.path("a")) == Self.new)
    #expect(try moments.folder.stored("a") == moments.after)
    #expect(moments.folder.names == ["a"])
  }

  @Test func anUncommittedChangeIsTakenBack() throws {
    let moments = try Moments()
    // The change had already written bytes after the end of the file.
    try moments.lay(moments.before + TestFolder.bytes(5_000), moments.uncommitted)
    #expect(try moments.folder.files.read(moments.folder.path("a")) == Self.old)
    #expect(try moments.folder.stored("a") == moments.before)
    #expect(moments.folder.names == ["a"])
  }

  /// Control: without the journal, the same bytes are refused.
  @Test func withoutTheJournalTheRestIsDamage() throws {
    let moments = try Moments()
    try (moments.before + TestFolder.bytes(5_000)).write(to: moments.folder.path("a"))
    #expect(
      refusal { try moments.folder.files.read(moments.folder.path("a")) } == .damaged)
  }

  @Test func everyMomentOfTheApplicationIsRecovered() throws {
    let moments = try Moments()
    // A crash leaves the new bytes up to some offset, and the old ones from there on.
    for place in stride(from: 0, through: moments.after.count, by: 29) {
      let mixed =
        moments.after.prefix(place) + moments.before.dropFirst(min(place, moments.before.count))
      try moments.lay(mixed, moments.committed)
      #expect(try moments.folder.files.read(moments.folder.path("a")) == Self.new, "\(place)")
      let other =
        moments.before.prefix(place) + moments.after.dropFirst(min(place, moments.after.count))
      try moments.lay(other, moments.committed)
      #expect(try moments.folder.files.read(moments.folder.path("a")) == Self.new, "\(place)")
    }
  }

  @Test func aJournalThatWasChangedOrCutNeverHarmsTheFile() throws {
    let moments = try Moments()
    for (step, file) in [(3, (moments.before, Self.old)), (13, (moments.after, Self.new))] {
      for offset in stride(from: 0, to: moments.committed.count, by: step) {
        var flipped = moments.committed
        flipped[offset] ^= 0x11
        try moments.lay(file.0, flipped)
        #expect(
          try moments.folder.files.read(moments.folder.path("a")) == file.1, "flip at \(offset)")
      }
      for count in stride(from: 0, to: moments.committed.count, by: 4 * step) {
        try moments.lay(file.0, moments.committed.prefix(count))
        #expect(
          try moments.folder.files.read(moments.folder.path("a")) == file.1, "cut at \(count)")
      }
    }
    // Control: the unchanged journal is applied.
    try moments.lay(moments.before, moments.committed)
    #expect(try moments.folder.files.read(moments.folder.path("a")) == Self.new)
  }

  @Test func aJournalOfAnotherFileOrVersionIsDropped() throws {
    let moments = try Moments()
    let folder = moments.folder
    // The journal of another file in the same store.
    try folder.files.write(Self.old, to: folder.path("b"), protection: FileProtection.none)
    try moments.committed.write(to: folder.path("b.atrest-journal"))
    #expect(try folder.files.read(folder.path("b")) == Self.old)
    // The file was replaced.
    try folder.files.write(Data("other".utf8), to: folder.path("a"))
    try moments.committed.write(to: folder.path("a.atrest-journal"))
    #expect(try folder.files.read(folder.path("a")) == Data("other".utf8))
    // The file is two changes further, and longer.
    try moments.after.write(to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.append(Data(count: 5_000))
    try handle.close()
    for journal in [moments.committed, moments.uncommitted] {
      try journal.write(to: folder.path("a.atrest-journal"))
      #expect(try folder.files.read(folder.path("a")) == Self.new + Data(count: 5_000))
    }
    // The file is one change further, and its journal has no end record: that change stays.
    try moments.lay(moments.after, moments.uncommitted)
    #expect(try folder.files.read(folder.path("a")) == Self.new)
    #expect(folder.names == ["a", "b"])
  }

  @Test func aJournalOfAnotherStoreIsDropped() throws {
    let moments = try Moments()
    let other = try TestFolder()
    try other.files.write(Self.old, to: other.path("a"))
    try moments.committed.write(to: other.path("a.atrest-journal"))
    #expect(try other.files.read(other.path("a")) == Self.old)
    #expect(other.names == ["a"])
  }

  @Test func whoeverHasThePublicKeyCannotForgeAJournal() throws {
    let folder = try TestFolder()
    let files = try ProtectedFiles(identity: PrivateKey.generate(.x25519)).chunked(by: 1_024)
    try files.write(Self.old, to: folder.path("a"))
    // Another file for the same recipient, whose key the forger chose. Its header has the identity
    // of the victim's file, as far as a header can claim that.
    try files.write(Self.old, to: folder.path("b"))
    let victim = try folder.stored("a")
    let handle = try files.open(folder.path("b"), for: .updating)
    try handle.write(Data(count: 3_000), at: 0)
    var journal = try folder.stored("b.atrest-journal")
    handle.discard()
    journal.replaceSubrange(14 + 19..<14 + 35, with: victim[19..<35])
    try journal.write(to: folder.path("a.atrest-journal"))
    #expect(try files.read(folder.path("a")) == Self.old)
    #expect(try folder.stored("a") == victim)
  }

  @Test func aSymbolicLinkIsNoJournal() throws {
    let moments = try Moments()
    let folder = moments.folder
    try moments.before.write(to: folder.path("a"))
    try moments.committed.write(to: folder.path("elsewhere"))
    #expect(symlink("elsewhere", folder.path("a.atrest-journal").path) == 0)
    #expect(refusal { try folder.files.open(folder.path("a"), for: .updating) } == .system)
    #expect(refusal { try folder.files.read(folder.path("a")) } == .system)
    #expect(try folder.stored("a") == moments.before)
    #expect(try folder.stored("elsewhere") == moments.committed)
  }

  @Test func recoveryWaitsForTheUnlock() throws {
    let folder = try TestFolder()
    try folder.files.write(Self.old, to: folder.path("a"), protection: .complete)
    let before = try folder.stored("a")
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.append(TestFolder.bytes(40_000))
    let journal = try folder.stored("a.atrest-journal")
    let during = try folder.stored("a")
    #expect(during.count > before.count)
    handle.discard()
    try during.write(to: folder.path("a"))
    try journal.write(to: folder.path("a.atrest-journal"))
    folder.keybag.lock()
    #expect(refusal { try folder.files.open(folder.path("a")) } == .locked)
    #expect(refusal { try folder.files.open(folder.path("a"), for: .updating) } == .locked)
    #expect(try folder.stored("a.atrest-journal") == journal)
    try folder.unlock()
    #expect(try folder.files.read(folder.path("a")) == Self.old)
    #expect(try folder.stored("a") == before)
  }

  /// A crash after a file got its new keys, and before its journal was removed.
  @Test func theNewKeysOpenWhatTheJournalKnowsByTheOldOnes() throws {
    let folder = try TestFolder()
    let phrase = try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .forTesting)
    try folder.files.write(Self.old, to: folder.path("a"), protection: FileProtection.none)
    let before = StoredBytes(try folder.stored("a"))
    try folder.files.rewrap(folder.path("a"), for: phrase)
    let moved = StoredBytes(try folder.stored("a"))
    let journal = try JournalForger(before: before, folder).journals(
      [(0, moved.bytes[..<moved.headerCount])], finalSize: UInt64(moved.bytes.count)
    ).committed
    try journal.write(to: folder.path("a.atrest-journal"))
    #expect(try phrase.read(folder.path("a")) == Self.old)
    #expect(folder.names == ["a"])
    // A journal that was not applied yet opens with the old keys, and then the new ones apply.
    try before.bytes.write(to: folder.path("a"))
    try journal.write(to: folder.path("a.atrest-journal"))
    #expect(refusal { try folder.files.read(folder.path("a")) } == .notPermitted)
    #expect(try phrase.read(folder.path("a")) == Self.old)
  }

  @Test func anOldJournalDoesNotBringOldKeysBack() throws {
    let moments = try Moments()
    let folder = moments.folder
    let phrase = try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .forTesting)
    for file in [moments.before, moments.after] {
      try file.write(to: folder.path("a"))
      try folder.files.rewrap(folder.path("a"), for: phrase)
      let moved = try folder.stored("a")
      try moments.lay(moved, moments.committed)
      #expect(try phrase.read(folder.path("a")) == (file == moments.before ? Self.old : Self.new))
      #expect(try folder.stored("a") == moved)
    }
  }
}
