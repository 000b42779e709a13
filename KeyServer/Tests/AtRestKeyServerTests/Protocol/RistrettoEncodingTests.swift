@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

/// Encodings that are not canonical. RFC 9496, A.3, has more of them.
@Suite struct RistrettoEncodingTests {
  /// Field elements that are too large, negative ones, and one that is not on the curve.
  static let elements = [
    "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "0000000000000000000000000000000000000000000000000000000000000000",
  ]

  /// The order of the group, and the order with a one added.
  static let scalars = [
    "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
    "eed3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
    "0000000000000000000000000000000000000000000000000000000000000080",
  ]

  @Test(arguments: elements) func `An element is refused everywhere`(encoded: String) throws {
    let bytes = try #require(Data(hexadecimal: encoded))
    #expect(!Ristretto255.isElement(bytes))
    let key = EvaluationKey(.ristretto255)
    expectError(.damaged) { _ = try key.evaluate(GroupElement(.ristretto255, bytes)) }
    expectError(.damaged) {
      _ = try BlindedInput(
        SecretBytes(utf8: "input"), publicKey: GroupElement(.ristretto255, bytes))
    }
    let blinded = try BlindedInput(SecretBytes(utf8: "input"), publicKey: key.publicKey)
    let evaluation = try key.evaluate(blinded.element)
    expectError(.damaged) { _ = try blinded.finalize(bytes + evaluation.dropFirst(32)) }
    // The control.
    _ = try blinded.finalize(evaluation)
  }

  @Test(arguments: scalars) func `A scalar is refused everywhere`(encoded: String) throws {
    let bytes = try #require(Data(hexadecimal: encoded))
    expectError(.damaged) { _ = try EvaluationKey(.ristretto255, privateKey: SecretBytes(bytes)) }
    let key = EvaluationKey(.ristretto255)
    let blinded = try BlindedInput(SecretBytes(utf8: "input"), publicKey: key.publicKey)
    let evaluation = try key.evaluate(blinded.element)
    expectError(.damaged) {
      _ = try blinded.finalize(evaluation.prefix(32) + bytes + evaluation.suffix(32))
    }
    expectError(.damaged) { _ = try blinded.finalize(evaluation.prefix(64) + bytes) }
  }

  @Test func `A proof of zeros is refused`() throws {
    let key = EvaluationKey(.ristretto255)
    let blinded = try BlindedInput(SecretBytes(utf8: "input"), publicKey: key.publicKey)
    let evaluation = try key.evaluate(blinded.element)
    expectError(.otherServerKey) {
      _ = try blinded.finalize(evaluation.prefix(32) + Data(count: 64))
    }
  }
}
