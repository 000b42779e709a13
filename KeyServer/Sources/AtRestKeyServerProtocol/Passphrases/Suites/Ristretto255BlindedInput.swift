import AtRestCrypto
import Foundation

/// An input that was blinded for ristretto255-SHA512. Input and blind are erased with it.
final class Ristretto255BlindedInput: SuiteBlindedInput {
  private let input: SecretBytes
  private let blind = Ristretto255.Scalar()
  private let publicKey: Data
  let element: Data

  init(_ input: borrowing SecretBytes, publicKey: Data) throws {
    guard Ristretto255.isElement(publicKey) else {
      throw AtRestError(
        damaged: "The key server's public key is not an element of ristretto255.")
    }
    self.publicKey = publicKey
    self.input = input.duplicate()
    element = try Ristretto255.multiply(
      Ristretto255Context.verifiable.element(hashing: input), by: blind)
  }

  func finalize(_ evaluation: Data) throws -> SecretBytes {
    let evaluated = Data(evaluation.prefix(Ristretto255.count))
    guard Ristretto255.isElement(evaluated) else {
      throw AtRestError(damaged: "The key server's evaluation has a value that is out of range.")
    }
    let proof = Ristretto255Proof(
      publicKey: publicKey, pairs: [(element: element, multiple: evaluated)])
    guard try proof.holds(Data(evaluation.dropFirst(Ristretto255.count))) else {
      throw AtRestError.otherServerKey
    }
    let unblinding = blind.inverted()
    let unblinded = try Ristretto255.secretMultiple(of: SecretBytes(evaluated), by: unblinding)
    return input.withUnsafeBytes { Ristretto255Context.output($0, unblinded) }
  }
}
