@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Crypto
import Foundation
import Testing

/// The vectors of RFC 9497, A.4, for P384-SHA384.
///
/// swift-crypto does not accept a given blind or proof nonce. Both are random here, and neither
/// changes the output. The vectors' own blinds are used to unblind the vectors' own elements.
@Suite struct P384VectorTests {
  struct Vector: Sendable, CustomStringConvertible {
    let privateKey: String
    let input: String
    let blindedElement: String
    let evaluationElement: String
    let output: String
    var description: String { input }
  }

  /// The inverse of the blind of all vectors, modulo the order of P-384.
  static let inverseBlind =
    "159bf1d01beb619e29c481b9a82d1f2afbedf4524c69a4cdf7b5662a9d458881173ebde02f4cc843dc9584cf1132c17e"

  /// A.4.1, OPRF mode.
  static let oprf = [
    Vector(
      privateKey:
        "dfe7ddc41a4646901184f2b432616c8ba6d452f9bcd0c4f75a5150ef2b2ed02ef40b8b92f60ae591bcabd72a6518f188",
      input: "00",
      blindedElement:
        "02a36bc90e6db34096346eaf8b7bc40ee1113582155ad3797003ce614c835a874343701d3f2debbd80d97cbe45de6e5f1f",
      evaluationElement:
        "03af2a4fc94770d7a7bf3187ca9cc4faf3732049eded2442ee50fbddda58b70ae2999366f72498cdbc43e6f2fc184afe30",
      output:
        "ed84ad3f31a552f0456e58935fcc0a3039db42e7f356dcb32aa6d487b6b815a07d5813641fb1398c03ddab5763874357"
    ),
    Vector(
      privateKey:
        "dfe7ddc41a4646901184f2b432616c8ba6d452f9bcd0c4f75a5150ef2b2ed02ef40b8b92f60ae591bcabd72a6518f188",
      input: "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
      blindedElement:
        "02def6f418e3484f67a124a2ce1bfb19de7a4af568ede6a1ebb2733882510ddd43d05f2b1ab5187936a55e50a847a8b900",
      evaluationElement:
        "034e9b9a2960b536f2ef47d8608b21597ba400d5abfa1825fd21c36b75f927f396bf3716c96129d1fa4a77fa1d479c8d7b",
      output:
        "dd4f29da869ab9355d60617b60da0991e22aaab243a3460601e48b075859d1c526d36597326f1b985778f781a1682e75"
    ),
  ]

  /// A.4.2, VOPRF mode.
  static let voprf = [
    Vector(
      privateKey:
        "051646b9e6e7a71ae27c1e1d0b87b4381db6d3595eeeb1adb41579adbf992f4278f9016eafc944edaa2b43183581779d",
      input: "00",
      blindedElement:
        "02d338c05cbecb82de13d6700f09cb61190543a7b7e2c6cd4fca56887e564ea82653b27fdad383995ea6d02cf26d0e24d9",
      evaluationElement:
        "02a7bba589b3e8672aa19e8fd258de2e6aae20101c8d761246de97a6b5ee9cf105febce4327a326255a3c604f63f600ef6",
      output:
        "3333230886b562ffb8329a8be08fea8025755372817ec969d114d1203d026b4a622beab60220bf19078bca35a529b35c"
    ),
    Vector(
      privateKey:
        "051646b9e6e7a71ae27c1e1d0b87b4381db6d3595eeeb1adb41579adbf992f4278f9016eafc944edaa2b43183581779d",
      input: "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
      blindedElement:
        "02f27469e059886f221be5f2cca03d2bdc61e55221721c3b3e56fc012e36d31ae5f8dc058109591556a6dbd3a8c69c433b",
      evaluationElement:
        "03f16f903947035400e96b7f531a38d4a07ac89a80f89d86a1bf089c525a92c7f4733729ca30c56ce78b1ab4f7d92db8b4",
      output:
        "b91c70ea3d4d62ba922eb8a7d03809a441e1c3c7af915cbc2226f485213e895942cd0f8580e6d99f82221e66c40d274f"
    ),
  ]

  static let publicKey =
    "031d689686c611991b55f1a1d8f4305ccd6cb719446f660a30db61b7aa87b46acf59b7c0d4a9077b3da21c25dd482229a0"

  private static func bytes(_ hexadecimal: String) throws -> Data {
    try #require(Data(hexadecimal: hexadecimal))
  }

  private static func key(_ hexadecimal: String) throws -> EvaluationKey {
    try EvaluationKey(.p384, privateKey: SecretBytes(bytes(hexadecimal)))
  }

  @Test(arguments: oprf + voprf) func `The server evaluates as in the RFC`(vector: Vector) throws {
    let evaluation = try Self.key(vector.privateKey).evaluate(
      GroupElement(.p384, Self.bytes(vector.blindedElement)))
    #expect(evaluation.prefix(49).hexadecimal == vector.evaluationElement)
  }

  @Test(arguments: voprf) func `A blinded input gives the output of the RFC`(vector: Vector) throws
  {
    let key = try Self.key(vector.privateKey)
    #expect(key.publicKey.bytes.hexadecimal == Self.publicKey)
    let input = SecretBytes(try Self.bytes(vector.input))
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    let output = try blinded.finalize(key.evaluate(blinded.element))
    #expect(Data(copying: output).hexadecimal == vector.output)
    #expect(try key.output(of: Self.bytes(vector.input)).hexadecimal == vector.output)
  }

  /// `Finalize` is the same in both modes: the unblinded element and the input, hashed.
  @Test(arguments: oprf + voprf) func `The RFC's elements unblind to its output`(vector: Vector)
    throws
  {
    let unblinding = try Self.key(Self.inverseBlind)
    let evaluated = GroupElement(.p384, try Self.bytes(vector.evaluationElement))
    let element = try unblinding.evaluate(evaluated).prefix(49)
    let input = try Self.bytes(vector.input)
    var message = MessageWriter()
    message.counted(input)
    message.counted(Data(element))
    message.fixed(Data("Finalize".utf8))
    #expect(Data(SHA384.hash(data: message.data)).hexadecimal == vector.output)
  }

  @Test func `Another key gives another output`() throws {
    let vector = Self.voprf[0]
    let other = try Self.key(Self.oprf[0].privateKey)
    #expect(try other.output(of: Self.bytes(vector.input)).hexadecimal != vector.output)
  }
}
