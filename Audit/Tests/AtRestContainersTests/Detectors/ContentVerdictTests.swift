import AtRestContainers
import AtRestFormats
import Foundation
import Testing

@Suite struct ContentVerdictTests {
  private static func random(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private static let prose = String(
    repeating: "The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor.\n",
    count: 400)

  private func verdict(_ bytes: some Sequence<UInt8>) throws -> ContentVerdict {
    try ContentVerdict.read(ByteSource(Array(bytes)))
  }

  @Test func textIsPlaintext() throws {
    #expect(try verdict(Self.prose.utf8) == .plaintext)
    #expect(try verdict(#"{"name":"value","n":1}"#.utf8) == .plaintext)
    #expect(
      try verdict(Self.prose.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        == .plaintext)
  }

  @Test(arguments: [200, 5000, 100_000])
  func base64AndHexAreEncoded(_ count: Int) throws {
    let bytes = Data(Self.random(count))
    #expect(try verdict(bytes.base64EncodedData()) == .encoded)
    #expect(try verdict(bytes.base64EncodedData(options: .lineLength64Characters)) == .encoded)
    #expect(try verdict(bytes.map { String(format: "%02x", $0) }.joined().utf8) == .encoded)
    let prose = Data(Self.prose.utf8.prefix(count))
    #expect(try verdict(prose.base64EncodedData()) == .encoded)
  }

  @Test(arguments: [1024, 4096, 5000, 200_000])
  func noiseIsEncrypted(_ count: Int) throws {
    for seed in UInt64(1)...20 where count < 100_000 || seed == 1 {
      #expect(try verdict(Self.random(count, seed: seed)) == .encrypted)
    }
  }

  @Test func noiseBehindAKnownHeadIsEncrypted() throws {
    #expect(try verdict(Array("SQLite format 3\0".utf8) + Self.random(40_000)) == .encrypted)
  }

  @Test func aDatabaseIsPlaintext() throws {
    var bytes = Array("SQLite format 3\0".utf8)
    for page in 0..<20 {
      bytes += [UInt8](repeating: 0, count: 2000) + Array("row \(page): some text".utf8)
      bytes += Self.random(1000)
    }
    #expect(try verdict(bytes) == .plaintext)
  }

  @Test func archivesAndMediaArePacked() throws {
    #expect(try verdict([0x50, 0x4B, 3, 4] + Self.random(40_000)) == .compressed)
    #expect(try verdict([0x1F, 0x8B, 8, 0] + Self.random(40_000)) == .compressed)
    #expect(
      try verdict([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.random(40_000))
        == .compressed
    )
  }

  @Test func whatIsTooSmallIsUnknown() throws {
    #expect(try verdict([]) == .unknown)
    #expect(try verdict("4821".utf8) == .unknown)
    #expect(try verdict(Self.random(100)) == .unknown)
  }

  @Test func halfNoiseIsUnknown() throws {
    var bytes: [UInt8] = []
    for page in 0..<10 {
      bytes += Self.random(4096, seed: UInt64(page + 1)) + [UInt8](repeating: 7, count: 4096)
    }
    #expect(try verdict(bytes) == .unknown)
  }

  @Test func entropyCountsBits() {
    #expect(Entropy([UInt8]()).bits == 0)
    #expect(Entropy([1, 1, 1, 1]).bits == 0)
    #expect(Entropy([1, 2, 3, 4]).bits == 2)
    #expect(Entropy((0...255).map { UInt8($0) }).bits == 8)
  }

  @Test func partsMeasureLikeTheWhole() {
    let bytes = Self.random(50_000)
    var whole = ContentMeter()
    whole.add(bytes)
    var parts = ContentMeter()
    for start in stride(from: 0, to: bytes.count, by: 999) {
      parts.add(Array(bytes[start..<min(start + 999, bytes.count)]))
    }
    #expect(parts.verdict(.unknown) == whole.verdict(.unknown))
    #expect(parts.entropy.count + 4096 > bytes.count)
  }
}
