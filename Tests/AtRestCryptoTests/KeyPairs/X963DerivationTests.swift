import AtRestCrypto
import Foundation
import Testing

/// The KDF for secrets of hardware gives the same bytes as swift-crypto's.
@Suite struct X963DerivationTests {
  @Test(arguments: DigestFunction.allCases, [0, 1, 16, 20, 32, 33, 64, 65, 1000])
  func bothDerivationsAgree(function: DigestFunction, count: Int) throws {
    let key = try PrivateKey.generate(.p256)
    let other = try PrivateKey.generate(.p256).publicKey
    for sharedInfo in [Data(), Data("shared".utf8)] {
      let expected = try key.sharedSecret(
        with: other, derivingX963: function, sharedInfo: sharedInfo, count: count)
      let derived = try derive(key, other, function, sharedInfo, count)
      #expect(Data(copying: derived) == Data(copying: expected))
      #expect(derived.count == count)
    }
  }

  @Test func otherSharedInformationGivesOtherBytes() throws {
    let key = try PrivateKey.generate(.p256)
    let other = try PrivateKey.generate(.p256).publicKey
    let one = try derive(key, other, .sha256, Data([1]), 32)
    let two = try derive(key, other, .sha256, Data([2]), 32)
    #expect(Data(copying: one) != Data(copying: two))
  }

  @Test func otherCurvesAndSizesAreRefused() throws {
    let key = try PrivateKey.generate(.p256)
    let other = try PrivateKey.generate(.p256).publicKey
    let stranger = try PrivateKey.generate(.p384).publicKey
    #expect(throws: AtRestError.self) { _ = try derive(key, stranger, .sha256, Data(), 32).count }
    for count in [-1, 1 << 20 + 1] {
      #expect(throws: AtRestError.self) { _ = try derive(key, other, .sha256, Data(), count).count }
    }
  }

  private func derive(
    _ key: borrowing PrivateKey, _ other: PublicKey, _ function: DigestFunction,
    _ sharedInfo: Data, _ count: Int
  ) throws -> SecretBytes {
    try key.derive(with: other, function, sharedInfo: sharedInfo, count: count) {
      try key.sharedSecret(with: other)
    }
  }
}
