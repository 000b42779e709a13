import Foundation
import Security
import Testing

@Suite struct RandomTests {
  @Test(arguments: [0, 1, 7, 8, 9, 33])
  func soManyBytesAreFilledAndNoMore(count: Int) {
    // The probability that a byte is zero in all 64 draws is 2^-512.
    var seen = [UInt8](repeating: 0, count: 40)
    for _ in 0..<64 {
      var bytes = [UInt8](repeating: 0, count: 40)
      #expect(SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
      for index in bytes.indices { seen[index] |= bytes[index] }
    }
    #expect(seen.prefix(count).allSatisfy { $0 != 0 })
    #expect(seen.dropFirst(count).allSatisfy { $0 == 0 })
  }

  @Test func twoDrawsDiffer() {
    var one = Data(count: 32)
    var other = Data(count: 32)
    _ = one.withUnsafeMutableBytes { SecRandomCopyBytes(nil, 32, $0.baseAddress!) }
    _ = other.withUnsafeMutableBytes { SecRandomCopyBytes(nil, 32, $0.baseAddress!) }
    #expect(one != other)
  }

  @Test func aNegativeCountIsRefused() {
    var byte: UInt8 = 0
    #expect(SecRandomCopyBytes(nil, -1, &byte) == errSecParam)
  }
}
