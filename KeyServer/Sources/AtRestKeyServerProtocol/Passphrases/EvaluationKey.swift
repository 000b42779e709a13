import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// The server's secret key of an oblivious pseudorandom function: RFC 9497, P384-SHA384, verifiable
/// mode.
///
/// The key turns a blinded passphrase into a blinded result and proves that it used this key. It
/// learns neither the passphrase nor the result.
public struct EvaluationKey {
  /// The size of a private key in bytes.
  public static let privateKeyCount = 48
  /// The size of a public key and of a blinded element in bytes: a compressed point.
  public static let elementCount = 49
  /// The size of an evaluation in bytes: an element and a proof.
  public static let evaluationCount = elementCount + 96

  private let key: P384._VOPRF.PrivateKey

  /// Creates a random key.
  public init() { key = P384._VOPRF.PrivateKey(compactRepresentable: false) }

  /// Restores a key from its 48 bytes.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not a scalar of the curve.
  public init(privateKey bytes: borrowing SecretBytes) throws {
    do {
      key = try bytes.withUnsafeBytes { try P384._VOPRF.PrivateKey(rawRepresentation: $0) }
    } catch {
      throw AtRestError(damaged: "An evaluation key is not a valid scalar.")
    }
  }

  /// The private key, 48 bytes.
  public var privateKey: SecretBytes {
    var raw = key.rawRepresentation
    return SecretBytes(erasing: &raw)
  }

  /// The public key, 49 bytes. A client pins it and then accepts no evaluation under another key.
  public var publicKey: Data { key.publicKey.oprfRepresentation }

  /// Evaluates a blinded element, and returns the evaluated element followed by the proof.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not a point of the curve.
  public func evaluate(_ blindedElement: Data) throws -> Data {
    do {
      return try key.evaluate(P384._VOPRF.BlindedElement(oprfRepresentation: blindedElement))
        .rawRepresentation
    } catch {
      throw AtRestError(damaged: "A blinded element is not a point of P-384.")
    }
  }

  /// Computes the function directly, for tests and for those who hold both the key and the input.
  package func output(of input: Data) throws -> Data { try key.evaluate(input) }
}
