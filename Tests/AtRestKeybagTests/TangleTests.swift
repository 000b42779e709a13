import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A device key tangles inputs of any length, and distinguishes all of them.
@Suite struct TangleTests {
  private func tangled(_ key: FileDeviceKey, _ input: Data, _ label: String = "test") throws -> Data
  {
    Data(copying: try key.tangle(SecretBytes(input), purpose: Purpose(label)))
  }

  @Test func inputsThatDifferInZerosAtTheirEndDiffer() throws {
    let folder = TemporaryFolder()
    let key = try FileDeviceKey.openOrCreate(in: folder.url)
    let answers = try (0...130).map { try tangled(key, Data(count: $0)) }
    #expect(Set(answers).count == answers.count)
  }

  @Test func aLongInputAndItsHashDiffer() throws {
    let folder = TemporaryFolder()
    let key = try FileDeviceKey.openOrCreate(in: folder.url)
    let long = Data(repeating: 97, count: 65)
    // The SHA-256 of the input, which HMAC treats as the same key.
    let hash = Data([
      0x63, 0x53, 0x61, 0xc4, 0x8b, 0xb9, 0xea, 0xb1, 0x41, 0x98, 0xe7, 0x6e, 0xa8, 0xab, 0x7f,
      0x1a,
      0x41, 0x68, 0x5d, 0x6a, 0xd6, 0x2a, 0xa9, 0x14, 0x6d, 0x30, 0x1d, 0x4f, 0x17, 0xeb, 0x0a,
      0xe0,
    ])
    #expect(try tangled(key, long) != tangled(key, hash))
  }

  /// Control: the same input gives the same result for one purpose.
  @Test func theSameInputGivesTheSameAnswer() throws {
    let folder = TemporaryFolder()
    let key = try FileDeviceKey.openOrCreate(in: folder.url)
    let input = Data("input".utf8)
    #expect(try tangled(key, input) == tangled(key, input))
    #expect(try tangled(key, input) != tangled(key, input, "other"))
  }
}
