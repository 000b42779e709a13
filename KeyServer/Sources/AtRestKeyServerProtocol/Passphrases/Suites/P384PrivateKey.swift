import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// A private key of P384-SHA384. swift-crypto computes everything.
struct P384PrivateKey: SuitePrivateKey, @unchecked Sendable {
  static let count = 48
  /// A compressed point.
  static let elementCount = 49
  static let uniformCount = 48

  // The values of swift-crypto are immutable, but not marked as `Sendable`.
  private let key: P384._VOPRF.PrivateKey

  /// The bytes are the key, which is no valid scalar with a probability of less than 2^-190.
  static func privateKey(from uniform: borrowing SecretBytes) -> SecretBytes { uniform.duplicate() }

  init() { key = P384._VOPRF.PrivateKey(compactRepresentable: false) }

  init(privateKey bytes: borrowing SecretBytes) throws {
    do {
      key = try bytes.withUnsafeBytes { try P384._VOPRF.PrivateKey(rawRepresentation: $0) }
    } catch {
      throw AtRestError(damaged: "An evaluation key is not a valid scalar.")
    }
  }

  func encoded() -> SecretBytes {
    var raw = key.rawRepresentation
    return SecretBytes(erasing: &raw)
  }

  var publicKey: Data { key.publicKey.oprfRepresentation }

  func evaluate(_ blindedElement: Data) throws -> Data {
    do {
      return try key.evaluate(P384._VOPRF.BlindedElement(oprfRepresentation: blindedElement))
        .rawRepresentation
    } catch {
      throw AtRestError(damaged: "A blinded element is not a point of P-384.")
    }
  }

  func output(of input: Data) throws -> Data { try key.evaluate(input) }
}
