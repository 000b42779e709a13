import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct HandleTests {
  @Test func readsAnywhere() throws {
    let folder = try TestFolder()
    let data = TestFolder.bytes(10_000)
    try folder.files.write(data, to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"))
    #expect(try handle.size() == 10_000)
    for (offset, count) in [(0, 1), (1000, 100), (1023, 2), (9_990, 10), (9_990, 100), (0, 10_000)]
    {
      #expect(
        try handle.read(upToCount: count, at: UInt64(offset))
          == data[offset..<min(10_000, offset + count)])
    }
    #expect(try handle.read(upToCount: 5, at: 10_000).isEmpty)
    #expect(try handle.read(upToCount: 5, at: .max).isEmpty)
  }

  /// Random writes, appends and cuts, compared with the same operations in memory.
  @Test(arguments: 0..<20) func changesAreWhatWasAskedFor(_ seed: UInt64) throws {
    let folder = try TestFolder()
    var random = SplitMix(seed)
    var model = TestFolder.bytes(Int.random(in: 0...20_000, using: &random))
    try folder.files.write(model, to: folder.path("a"))
    for round in 0..<4 {
      let handle = try folder.files.open(folder.path("a"), for: .updating)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let offset = Int.random(in: 0...(model.count + 3_000), using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          try handle.truncate(to: UInt64(offset))
          if offset < model.count { model = model.prefix(offset) }
          model.append(Data(count: max(0, offset - model.count)))
        case 1:
          try handle.synchronize()
        case 2, 3:
          let piece = TestFolder.bytes(Int.random(in: 0...5_000, using: &random), seed: 7)
          try handle.append(piece)
          model.append(piece)
        case 4:
          #expect(
            try handle.read(upToCount: 2_000, at: UInt64(offset))
              == (offset < model.count ? model[offset..<min(model.count, offset + 2_000)] : Data()))
        default:
          let piece = TestFolder.bytes(
            Int.random(in: 1...3_000, using: &random), seed: UInt8(round))
          try handle.write(piece, at: UInt64(offset))
          model.append(Data(count: max(0, offset - model.count)))
          model.replaceSubrange(offset..<min(model.count, offset + piece.count), with: piece)
        }
        #expect(try handle.size() == UInt64(model.count))
      }
      try handle.close()
      #expect(try folder.files.read(folder.path("a")) == model)
      #expect(try folder.files.verify(folder.path("a")).written == UInt64(model.count))
      #expect(folder.names == ["a"])
    }
  }

  @Test func readersSeeWhatWasCommittedAndNothingElse() throws {
    let folder = try TestFolder()
    let old = TestFolder.bytes(5_000)
    try folder.files.write(old, to: folder.path("a"))
    let reader = try folder.files.open(folder.path("a"))
    let writer = try folder.files.open(folder.path("a"), for: .updating)
    try writer.write(Data("new".utf8), at: 10)
    #expect(try reader.readToEnd() == old)
    #expect(try folder.files.read(folder.path("a")) == old)
    try writer.synchronize()
    #expect(try reader.read(upToCount: 3, at: 10) == Data("new".utf8))
    try writer.write(Data("xyz".utf8), at: 10)
    writer.discard()
    #expect(try reader.read(upToCount: 3, at: 10) == Data("new".utf8))
    #expect(folder.names == ["a"])
  }

  @Test func oneHandleAtATimeUpdates() throws {
    let folder = try TestFolder()
    try folder.files.write(Data(), to: folder.path("a"))
    let first = try folder.files.open(folder.path("a"), for: .updating)
    #expect(refusal { try folder.files.open(folder.path("a"), for: .updating) } == .busy)
    try first.close()
    try folder.files.open(folder.path("a"), for: .updating).close()
  }

  @Test func oneAfterTheOther() throws {
    let folder = try TestFolder()
    let handle = try folder.files.create(folder.path("a"))
    try handle.write(contentsOf: Data("hello ".utf8))
    try handle.write(contentsOf: Data("world".utf8))
    try handle.seek(toOffset: 6)
    #expect(try handle.read(upToCount: 3) == Data("wor".utf8))
    #expect(try handle.readToEnd() == Data("ld".utf8))
    #expect(try handle.readToEnd() == nil)
    #expect(try handle.seekToEnd() == 11)
  }
}

/// Random numbers that a seed reproduces.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
