import AtRestCrypto
import Foundation

/// A private key of ristretto255-SHA512.
final class Ristretto255PrivateKey: SuitePrivateKey {
  static let count = Ristretto255.count
  static let elementCount = Ristretto255.count
  static let uniformCount = 64

  private let scalar: Ristretto255.Scalar
  let publicKey: Data

  static func privateKey(from uniform: borrowing SecretBytes) -> SecretBytes {
    Ristretto255.Scalar(reducing: uniform).bytes.duplicate()
  }

  init() {
    let scalar = Ristretto255.Scalar()
    guard let publicKey = try? Ristretto255.multiplyGenerator(by: scalar) else {
      preconditionFailure("A random scalar is not zero.")
    }
    self.publicKey = publicKey
    self.scalar = scalar
  }

  init(privateKey bytes: borrowing SecretBytes) throws {
    let scalar = try Ristretto255.Scalar(decoding: bytes)
    guard !scalar.isZero else { throw AtRestError(damaged: "An evaluation key is zero.") }
    publicKey = try Ristretto255.multiplyGenerator(by: scalar)
    self.scalar = scalar
  }

  func encoded() -> SecretBytes { scalar.bytes.duplicate() }

  func evaluate(_ blindedElement: Data) throws -> Data {
    let evaluated = try Ristretto255.multiply(blindedElement, by: scalar)
    let proof = Ristretto255Proof(
      publicKey: publicKey, pairs: [(element: blindedElement, multiple: evaluated)])
    return try evaluated + proof.make(key: scalar, nonce: Ristretto255.Scalar())
  }

  func output(of input: Data) throws -> Data {
    let input = SecretBytes(input)
    let element = try Ristretto255Context.verifiable.element(hashing: input)
    let multiple = try Ristretto255.secretMultiple(of: element, by: scalar)
    return Data(copying: input.withUnsafeBytes { Ristretto255Context.output($0, multiple) })
  }
}
