@_spi(Tools) import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Headers and tables that no honest writer makes are refused clearly, at once, and with little
/// memory.
@Suite struct HostileHeaderTests {
  private static let limit = Duration.seconds(60)

  private static func expect(
    _ code: AtRestError.Code, _ folder: TestFolder, _ comment: String,
    files: ProtectedFiles? = nil
  ) {
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(
        refusal { try (files ?? folder.files).read(folder.path("a")) } == code, "\(comment)")
      _ = try? FileDescription(of: folder.path("a"))
    }
    #expect(time < limit, "\(comment)")
  }

  /// Each field has a size and a value. It is tested as it is, and authenticated by a holder of the
  /// key.
  static let fields: [(String, Int, Int, UInt64, AtRestError.Code)] = [
    ("version", 8, 2, 2, .unsupportedVersion), ("version", 8, 2, 0xFFFF, .unsupportedVersion),
    ("cipher", 10, 1, 0, .unsupportedVersion), ("cipher", 10, 1, 255, .unsupportedVersion),
    ("header count", 11, 4, 0, .damaged), ("header count", 11, 4, 255, .damaged),
    ("header count", 11, 4, 257, .damaged), ("header count", 11, 4, 16_640, .damaged),
    ("header count", 11, 4, 16_384, .damaged), ("header count", 11, 4, 0xFFFF_FFFF, .damaged),
    ("chunk size", 15, 4, 0, .damaged), ("chunk size", 15, 4, 1_023, .damaged),
    ("chunk size", 15, 4, 1_048_577, .damaged), ("chunk size", 15, 4, 0xFFFF_FFFF, .damaged),
    ("chunk size", 15, 4, 1_048_576, .damaged),
    ("generation", 35, 8, .max, .damaged),
    ("table count", 43, 8, 1, .damaged), ("table count", 43, 8, 28, .damaged),
    ("table count", 43, 8, 1 << 30, .damaged), ("table count", 43, 8, 1 << 63, .damaged),
    ("table count", 43, 8, .max, .damaged), ("table count", 43, 8, 1 << 62, .damaged),
    ("slot count", 51, 1, 0, .damaged), ("slot count", 51, 1, 2, .damaged),
    ("slot count", 51, 1, 101, .damaged), ("slot count", 51, 1, 255, .damaged),
    ("zeros", 52, 1, 1, .damaged), ("zeros", 63, 1, 1, .damaged),
    ("slot length", 64, 2, 0, .damaged), ("slot length", 64, 2, 57, .damaged),
    ("slot length", 64, 2, 59, .damaged), ("slot length", 64, 2, 0xFFFF, .damaged),
    ("slot type", 66, 1, 0, .unsupportedVersion), ("slot type", 66, 1, 9, .unsupportedVersion),
    ("class", 67, 1, 0, .damaged), ("class", 67, 1, 255, .damaged),
  ]

  @Test(arguments: fields.indices, [false, true]) func everyFieldIsBounded(
    _ index: Int, _ isVouchedFor: Bool
  ) throws {
    let (name, offset, count, value, code) = Self.fields[index]
    let folder = try TestFolder()
    try folder.files.write(
      TestFolder.bytes(3_000), to: folder.path("a"), protection: FileProtection.none)
    var stored = StoredBytes(try folder.stored("a"))
    let key = try stored.fileKey(folder.keybag)
    let end = stored.headerCount
    stored.set(offset, count, to: value)
    if isVouchedFor {
      // Authenticating only another generation changes nothing.
      guard name != "generation" else { return }
      if stored.headerCount == end { stored.authenticateHeader(key) }
    }
    try stored.bytes.write(to: folder.path("a"))
    Self.expect(code, folder, "\(name) \(value)")
  }

  @Test func twoPassphrasesAndAbsurdCostsAreRefused() throws {
    let folder = try TestFolder()
    let files = try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .forTesting)
    try files.write(TestFolder.bytes(100), to: folder.path("a"))
    let good = StoredBytes(try folder.stored("a"))
    let length = Int(good.integer(64, 2))
    var two = good
    two.set(51, 1, to: 2)
    two.bytes.replaceSubrange(66 + length..<68 + 2 * length, with: good.bytes[64..<66 + length])
    try two.bytes.write(to: folder.path("a"))
    Self.expect(.damaged, folder, "two passphrases", files: files)
    let costs: [(UInt64, UInt64, UInt64, UInt64, AtRestError.Code)] = [
      (1, 22, 8, 1, .damaged), (1, 21, 8, 1, .damaged), (1, 63, 8, 1, .damaged),
      (1, 0xFFFF_FFFF, 8, 1, .damaged), (1, 20, 32, 1, .damaged), (1, 4, 0, 1, .damaged),
      (1, 20, 8, 2, .damaged), (1, 17, 8, 16, .damaged), (2, 10_000_001, 0, 0, .damaged),
      (3, 10_000_001, 0, 0, .damaged), (1, 4, 8, 0, .damaged), (1, 4, 8, 0xFFFF_FFFF, .damaged),
      (1, 0, 8, 1, .damaged),
      (2, 0xFFFF_FFFF, 0, 0, .damaged), (9, 4, 8, 1, .unsupportedVersion),
      // Control: this cost is allowed, but not the one with which the key was made.
      (1, 5, 8, 1, .authenticationFailed),
    ]
    for (function, cost, block, lanes, code) in costs {
      var stored = good
      stored.set(67, 1, to: function)
      stored.set(68, 4, to: cost)
      stored.set(72, 4, to: block)
      stored.set(76, 4, to: lanes)
      try stored.bytes.write(to: folder.path("a"))
      Self.expect(code, folder, "\(function) \(cost) \(block) \(lanes)", files: files)
    }
  }

  /// Tables sealed by a holder of the key: anyone can write files for a recipient.
  @Test func tablesThatCountTooFarAreRefused() throws {
    let folder = try TestFolder()
    try folder.files.write(
      TestFolder.bytes(3_000), to: folder.path("a"), protection: FileProtection.none)
    let good = StoredBytes(try folder.stored("a"))
    let key = try good.fileKey(folder.keybag)
    func lay(_ count: UInt32, _ runs: [(UInt64, UInt64)]) throws {
      var writer = ByteWriter()
      writer.integer(count)
      for (first, counter) in runs {
        writer.integer(first)
        writer.fixed(good.bytes[19..<35])
        writer.integer(counter)
      }
      var context = ByteWriter()
      context.fixed(good.bytes[19..<35])
      context.integer(UInt64(0))
      let box = try SealingKey(key.derive(Purpose("atrest.file.table.v1")))
        .seal(writer.data, context: context.data)
      var stored = good
      stored.set(43, 8, to: UInt64(box.count))
      stored.authenticateHeader(key)
      try (stored.bytes + box).write(to: folder.path("a"))
    }
    // Control: the table of a file that was never changed.
    try lay(1, [(0, 0)])
    #expect(try folder.files.read(folder.path("a")) == TestFolder.bytes(3_000))
    let tables: [(UInt32, [(UInt64, UInt64)])] = [
      (0, []), (2, [(0, 0)]), (.max, [(0, 0)]), (1, [(1, 0)]), (2, [(0, 0), (0, 0)]),
      (1, [(0, .max)]), (1, [(0, .max - 1)]), (2, [(0, 0), (.max, .max)]), (1, [(0, 7)]),
    ]
    for (count, runs) in tables {
      try lay(count, runs)
      Self.expect(.damaged, folder, "\(count) \(runs)")
      #expect(refusal { try folder.files.open(folder.path("a"), for: .updating) } == .damaged)
    }
  }

  /// The last chunk authenticates a size that does not fit into any memory.
  @Test func aFileThatClaimsToBeHugeIsRefusedByReadAlone() throws {
    let folder = try TestFolder()
    try folder.files.write(
      Data("end".utf8), to: folder.path("a"), protection: FileProtection.none)
    let stored = StoredBytes(try folder.stored("a"))
    let key = try stored.fileKey(folder.keybag)
    // The last chunk of 8 TiB of which nothing else was ever written: a sparse file.
    let index = (UInt64(8) << 40) / 1_024
    let cipher = ChunkCipher(
      key.derive(Purpose("atrest.file.chunks.v1"), salt: stored.bytes[19..<35]))
    var sealed = [UInt8](repeating: 0, count: 19)
    try sealed.withUnsafeMutableBytes { sealed in
      try Array("end".utf8).withUnsafeBytes {
        try cipher.seal($0, place: .init(counter: index, index: index, isLast: true), into: sealed)
      }
    }
    let file = try FileHandle(forUpdating: folder.path("a"))
    do {
      try file.truncate(atOffset: UInt64(256) + index * 1_040)
    } catch {
      return  // The file system does not support such files.
    }
    try file.seekToEnd()
    try file.write(contentsOf: sealed)
    #expect(refusal { try folder.files.read(folder.path("a")) } == .invalidArgument)
    let handle = try folder.files.open(folder.path("a"))
    #expect(try handle.size() == index * 1_024 + 3)
    #expect(try handle.read(upToCount: 10, at: index * 1_024) == Data("end".utf8))
    #expect(refusal { try handle.read(upToCount: 10, at: 0) } == .damaged)
  }

  @Test func whatIsNoProtectedFileIsCalledThat() throws {
    let folder = try TestFolder()
    for bytes in [Data(), Data("A".utf8), Data("AtRestPE".utf8), Data(count: 10_000)] {
      try bytes.write(to: folder.path("a"))
      Self.expect(.notProtected, folder, "\(bytes.count) bytes")
    }
    try Data("AtRestPF".utf8).write(to: folder.path("a"))
    Self.expect(.damaged, folder, "its name alone")
  }
}
