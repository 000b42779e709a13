import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// A modified file is refused, and no byte of a bad chunk is returned.
@Suite struct TamperTests {
  enum Reader: CaseIterable { case store, passphrase, recipient }
  private static let size = 1_100

  private static func files(_ reader: Reader, _ folder: TestFolder) throws -> ProtectedFiles {
    let files =
      switch reader {
      case .store: folder.files
      case .passphrase:
        try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .forTesting)
      case .recipient: try ProtectedFiles(identity: PrivateKey.generate(.x25519))
      }
    return files.chunked(by: TestFolder.chunkSize)
  }

  /// The errors for a modified header, which may also affect a key slot.
  private static let headerRefusals: Set<AtRestError.Code?> = [
    .damaged, .authenticationFailed, .unsupportedVersion, .notProtected, .notPermitted,
  ]

  @Test(arguments: Reader.allCases) func everyFlipIsRefused(_ reader: Reader) throws {
    let folder = try TestFolder()
    let files = try Self.files(reader, folder)
    let data = TestFolder.bytes(Self.size)
    try files.write(data, to: folder.path("a"))
    // Control: the original opens.
    #expect(try files.read(folder.path("a")) == data)
    let good = StoredBytes(try folder.stored("a"))
    let file = try FileHandle(forUpdating: folder.path("a"))
    // The sealing of a chunk is the same for every reader.
    let offsets = good.bytes.indices.filter {
      reader == .store || $0 < good.headerCount || $0 % 16 == 0
    }
    for offset in offsets {
      // A passphrase's cost is bounded, but still takes its time.
      if reader == .passphrase && (67..<83).contains(offset) { continue }
      for mask: UInt8 in reader == .store && offset % 4 == 0 ? [0x01, 0x80, 0xFF] : [0x80] {
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: [good.bytes[offset] ^ mask])
        let code = refusal { try files.read(folder.path("a")) }
        if offset < good.headerCount {
          #expect(
            Self.headerRefusals.contains(code), "\(offset) ^ \(mask): \(String(describing: code))")
        } else {
          #expect(code == .damaged, "\(offset) ^ \(mask)")
        }
      }
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [good.bytes[offset]])
    }
    #expect(try files.read(folder.path("a")) == data)
  }

  @Test(arguments: Reader.allCases) func everyCutAndEveryExtensionIsRefused(
    _ reader: Reader
  ) throws {
    let folder = try TestFolder()
    let files = try Self.files(reader, folder)
    try files.write(TestFolder.bytes(Self.size), to: folder.path("a"))
    let good = try folder.stored("a")
    let file = folder.path("a").path
    let step = reader == .store ? 1 : 9
    for count in stride(from: good.count - 1, through: 0, by: -step) {
      #expect(truncate(file, off_t(count)) == 0)
      let code = refusal { try files.read(folder.path("a")) }
      #expect(code == .damaged || (count < 8 && code == .notProtected), "\(count) bytes")
    }
    for more in Array(1...40) + Array(940...990) + [1_024, 1_040, 5_000] {
      try (good + TestFolder.bytes(more)).write(to: folder.path("a"))
      #expect(refusal { try files.read(folder.path("a")) } == .damaged, "\(more) bytes more")
    }
    try good.write(to: folder.path("a"))
    #expect(try files.read(folder.path("a")).count == Self.size)
  }

  @Test func everyTwoChunksThatChangePlacesAreRefused() throws {
    let folder = try TestFolder()
    // The last chunk is as long as the others: only its position distinguishes it.
    try folder.files.write(TestFolder.bytes(5 * 1024), to: folder.path("a"))
    let good = StoredBytes(try folder.stored("a"))
    for first in good.chunks.indices {
      for second in good.chunks.indices where second > first {
        var swapped = good
        swapped.bytes.replaceSubrange(good.chunks[first], with: good.bytes[good.chunks[second]])
        // A copy of a chunk in two places is refused as well.
        try swapped.bytes.write(to: folder.path("a"))
        #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged)
        swapped.bytes.replaceSubrange(good.chunks[second], with: good.bytes[good.chunks[first]])
        try swapped.bytes.write(to: folder.path("a"))
        #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged)
      }
    }
    for place in good.chunks {
      var other = good
      other.bytes.insert(contentsOf: good.bytes[place], at: place.upperBound)
      try other.bytes.write(to: folder.path("a"))
      #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "one twice")
      other = good
      other.bytes.removeSubrange(place)
      try other.bytes.write(to: folder.path("a"))
      #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "one out")
    }
    try good.bytes.write(to: folder.path("a"))
    #expect(try folder.files.read(folder.path("a")).count == 5 * 1024)
  }

  @Test func chunksAndHeadersOfAnotherFileAreRefused() throws {
    let folder = try TestFolder()
    let data = TestFolder.bytes(3_000)
    // The same contents in the same store: only the files' keys differ.
    try folder.files.write(data, to: folder.path("a"))
    try folder.files.write(data, to: folder.path("b"))
    let a = StoredBytes(try folder.stored("a"))
    let b = StoredBytes(try folder.stored("b"))
    for place in a.chunks + [0..<a.headerCount, 0..<b.headerCount - 32, 64..<a.headerCount] {
      var mixed = a
      mixed.bytes.replaceSubrange(place, with: b.bytes[place])
      try mixed.bytes.write(to: folder.path("a"))
      #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "\(place)")
    }
    try b.bytes.write(to: folder.path("a"))
    #expect(try folder.files.read(folder.path("a")) == data)
  }

  @Test func noPartOfAnOlderVersionIsAccepted() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(4_096), to: folder.path("a"))
    var versions = [StoredBytes(try folder.stored("a"))]
    for version in 1...3 {
      let handle = try folder.files.open(folder.path("a"), for: .updating)
      try handle.write(TestFolder.bytes(10, seed: UInt8(version)), at: 1_030)
      try handle.write(TestFolder.bytes(10, seed: UInt8(version)), at: 4_000)
      try handle.close()
      versions.append(StoredBytes(try folder.stored("a")))
    }
    let present = try #require(versions.last)
    let expected = try folder.files.read(folder.path("a"))
    for older in versions.dropLast() {
      let changed = present.chunks.filter { present.bytes[$0] != older.bytes[$0] }
      #expect(changed.count == 2)
      for place in changed + [0..<present.headerCount] {
        var mixed = present
        mixed.bytes.replaceSubrange(place, with: older.bytes[place])
        try mixed.bytes.write(to: folder.path("a"))
        #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "\(place)")
      }
      // All the chunks, everything but the header, everything but the table.
      var chunks = present
      chunks.bytes.replaceSubrange(
        present.headerCount..<present.tableStart,
        with: older.bytes[older.headerCount..<older.tableStart])
      let mixes = [
        chunks.bytes,
        present.bytes[..<present.headerCount] + older.bytes[older.headerCount...],
        older.bytes[..<older.tableStart] + present.bytes[present.tableStart...],
        present.bytes[..<present.tableStart] + older.bytes[older.tableStart...],
      ]
      for (number, mix) in mixes.enumerated() where mix != older.bytes {
        try mix.write(to: folder.path("a"))
        #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "mix \(number)")
      }
    }
    try present.bytes[..<present.tableStart].write(to: folder.path("a"))
    #expect(refusal { try folder.files.read(folder.path("a")) } == .damaged, "without its table")
    try present.bytes.write(to: folder.path("a"))
    #expect(try folder.files.read(folder.path("a")) == expected)
  }

  @Test func everyFlipInAChangedFileIsRefused() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(2_100), to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.write(Data([1, 2, 3]), at: 1_500)
    try handle.close()
    let good = StoredBytes(try folder.stored("a"))
    let file = try FileHandle(forUpdating: folder.path("a"))
    let chunks = good.headerCount..<good.tableStart
    for offset in good.bytes.indices where !chunks.contains(offset) || offset % 16 == 0 {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [good.bytes[offset] ^ 0x10])
      let code = refusal { try folder.files.read(folder.path("a")) }
      #expect(
        code == .damaged || (offset < 256 && Self.headerRefusals.contains(code)), "\(offset)")
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [good.bytes[offset]])
    }
    #expect(try folder.files.read(folder.path("a")).count == 2_100)
  }
}
