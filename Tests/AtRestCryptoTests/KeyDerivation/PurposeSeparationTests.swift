import AtRestCrypto
import Foundation
import Testing

/// Keys derived from one root with any different input are unrelated.
@Suite struct PurposeSeparationTests {
  @Test func everyInputSeparates() {
    let root = SecretBytes.random(count: 32)
    let other = SecretBytes.random(count: 32)
    let keys = [
      root.derive(Purpose("a")).revealed,
      root.derive(Purpose("b")).revealed,
      root.derive(Purpose("a"), salt: Data([1])).revealed,
      root.derive(Purpose("a"), context: Data([1])).revealed,
      other.derive(Purpose("a")).revealed,
    ]
    #expect(Set(keys).count == keys.count)
    // Control: the same inputs give the same key.
    #expect(root.derive(Purpose("a")).revealed == keys[0])
  }

  @Test func labelAndContextDoNotRunTogether() {
    let root = SecretBytes.random(count: 32)
    let first = root.derive(Purpose("ab"), context: Data("c".utf8))
    let second = root.derive(Purpose("a"), context: Data("bc".utf8))
    let third = root.derive(Purpose("abc"))
    #expect(first.isEqual(to: second) == false)
    #expect(first.isEqual(to: third) == false)
  }

  @Test(arguments: [1, 31, 33, 8_160])
  func derivesAsManyBytesAsAsked(count: Int) {
    #expect(SecretBytes.random(count: 32).derive(Purpose("a"), count: count).count == count)
  }
}
