import AtRestCrypto
import Foundation
import Testing

/// The constant-time comparison agrees with the ordinary one.
@Suite struct ConstantTimeComparisonTests {
  private func equal(_ a: Data, _ b: Data) -> Bool {
    SecretBytes(a).isEqual(to: SecretBytes(b))
  }

  @Test func equalBytesAreEqual() {
    for count in [0, 1, 31, 32, 33, 1_000] {
      let data = RandomBytes.data(count: count)
      #expect(equal(data, data))
    }
  }

  @Test func anyChangedBitIsSeen() {
    let data = RandomBytes.data(count: 33)
    for bit in 0..<data.count * 8 {
      var other = data
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(!equal(data, other), "Bit \(bit) is not compared.")
    }
  }

  @Test func otherLengthsDiffer() {
    let data = Data(count: 32)
    #expect(!equal(data, Data(count: 31)) && !equal(data, Data(count: 33)))
    #expect(!equal(data, Data()))
  }
}
