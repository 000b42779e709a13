@_spi(Tools) import AtRestCrypto
import Foundation
import Testing

@testable import AtRestKeyServerProtocol

/// The vectors of RFC 9497, A.1, in all modes, with their own keys, blinds and nonces.
@Suite struct RistrettoVectorTests {
  private static func bytes(_ hexadecimal: String) throws -> Data {
    try #require(Data(hexadecimal: hexadecimal))
  }

  private static func scalar(_ hexadecimal: String) throws -> Ristretto255.Scalar {
    try Ristretto255.Scalar(decoding: SecretBytes(bytes(hexadecimal)))
  }

  private static func counted(_ bytes: Data) -> [UInt8] {
    var writer = MessageWriter()
    writer.counted(bytes)
    return writer.bytes
  }

  /// The private key of a vector. In the third mode the public input is added to it.
  private static func key(_ vector: RistrettoVector) throws -> Ristretto255.Scalar {
    let key = try scalar(RistrettoVector.keys[Int(vector.mode)].0)
    guard vector.mode == 2 else { return key }
    let info = try Array("Info".utf8) + counted(bytes(RistrettoVector.info))
    return key.adding(Ristretto255Context(mode: 2).scalar(hashing: info))
  }

  @Test(arguments: [UInt8(0), 1, 2]) func `The keys are derived as in the RFC`(mode: UInt8) throws {
    let context = Ristretto255Context(mode: mode)
    let message =
      try Array(Self.bytes(RistrettoVector.seed))
      + Self.counted(Self.bytes(RistrettoVector.keyInfo)) + [0]
    let key = context.scalar(hashing: message, label: "DeriveKeyPair")
    let expected = RistrettoVector.keys[Int(mode)]
    #expect(Data(copying: key.bytes).hexadecimal == expected.0)
    guard mode > 0 else { return }
    #expect(try Ristretto255.multiplyGenerator(by: key).hexadecimal == expected.1)
  }

  @Test(arguments: RistrettoVector.all) func `Inputs are blinded as in the RFC`(
    vector: RistrettoVector
  ) throws {
    let context = Ristretto255Context(mode: vector.mode)
    for (index, input) in vector.inputs.enumerated() {
      let element = try context.element(hashing: SecretBytes(Self.bytes(input)))
      let blinded = try Ristretto255.multiply(element, by: Self.scalar(vector.blinds[index]))
      #expect(blinded.hexadecimal == vector.blindedElements[index])
    }
  }

  @Test(arguments: RistrettoVector.all) func `Elements are evaluated as in the RFC`(
    vector: RistrettoVector
  ) throws {
    let key = try Self.key(vector)
    // The third mode divides by the key.
    let factor = vector.mode == 2 ? key.inverted() : key
    for (blinded, expected) in zip(vector.blindedElements, vector.evaluationElements) {
      let evaluated = try Ristretto255.multiply(Self.bytes(blinded), by: factor)
      #expect(evaluated.hexadecimal == expected)
    }
  }

  @Test(arguments: RistrettoVector.all.filter { $0.mode > 0 })
  func `Proofs are made and verified as in the RFC`(vector: RistrettoVector) throws {
    let key = try Self.key(vector)
    let pairs = try zip(vector.blindedElements, vector.evaluationElements).map {
      let (blinded, evaluated) = (try Self.bytes($0), try Self.bytes($1))
      return vector.mode == 2
        ? (element: evaluated, multiple: blinded) : (element: blinded, multiple: evaluated)
    }
    let proof = Ristretto255Proof(
      Ristretto255Context(mode: vector.mode),
      publicKey: try Ristretto255.multiplyGenerator(by: key),
      pairs: pairs)
    let made = try proof.make(key: key, nonce: Self.scalar(vector.nonce))
    #expect(made.hexadecimal == vector.proof)
    #expect(try proof.holds(Self.bytes(vector.proof)))
    // The controls: another bit, and another mode.
    var changed = made
    changed[40] ^= 1
    #expect(try !proof.holds(changed))
    let other = Ristretto255Proof(
      Ristretto255Context(mode: 3 - vector.mode),
      publicKey: try Ristretto255.multiplyGenerator(by: key), pairs: pairs)
    #expect(try !other.holds(made))
  }

  @Test(arguments: RistrettoVector.all) func `Elements are unblinded to the RFC's output`(
    vector: RistrettoVector
  ) throws {
    let parts = vector.mode == 2 ? [Array(try Self.bytes(RistrettoVector.info))] : []
    for index in vector.inputs.indices {
      let unblinding = try Self.scalar(vector.blinds[index]).inverted()
      let evaluated = SecretBytes(try Self.bytes(vector.evaluationElements[index]))
      let unblinded = try Ristretto255.secretMultiple(of: evaluated, by: unblinding)
      let output = SecretBytes(try Self.bytes(vector.inputs[index])).withUnsafeBytes {
        Ristretto255Context.output($0, unblinded, info: parts)
      }
      #expect(Data(copying: output).hexadecimal == vector.outputs[index])
    }
  }

  @Test(arguments: RistrettoVector.all.filter { $0.mode == 1 && $0.inputs.count == 1 })
  func `Client and server compute the RFC's output`(vector: RistrettoVector) throws {
    let key = try EvaluationKey(
      .ristretto255, privateKey: SecretBytes(Self.bytes(RistrettoVector.keys[1].0)))
    #expect(key.publicKey.bytes.hexadecimal == RistrettoVector.keys[1].1)
    let input = try Self.bytes(vector.inputs[0])
    let blinded = try BlindedInput(SecretBytes(input), publicKey: key.publicKey)
    let output = try blinded.finalize(key.evaluate(blinded.element))
    #expect(Data(copying: output).hexadecimal == vector.outputs[0])
    #expect(try key.output(of: input).hexadecimal == vector.outputs[0])
  }
}
