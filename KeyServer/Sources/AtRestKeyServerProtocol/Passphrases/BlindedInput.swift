import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// An input that was blinded for a server, with what is needed to unblind the answer.
///
/// ```swift
/// let blinded = try BlindedInput(input, publicKey: pinned)
/// let evaluation = try await ask(server, blinded.element)
/// let output = try blinded.finalize(evaluation)       // refused under any other key
/// ```
public struct BlindedInput: @unchecked Sendable {
  // The values of swift-crypto are immutable, but not marked as `Sendable`.
  private let input: P384._VOPRF.BlindedInput
  private let key: P384._VOPRF.PublicKey

  /// The blinded element, 49 bytes. It is a uniformly random point and reveals nothing about the
  /// input.
  public var element: Data { input.blindedElement.oprfRepresentation }

  /// Blinds an input with a fresh random blind.
  ///
  /// - Parameter publicKey: The public key of the server that the answer must be made with.
  /// - Throws: ``AtRestError/Code/damaged`` if the key is not a point of P-384;
  ///   ``AtRestError/Code/invalidArgument`` if the input cannot be hashed to the curve.
  public init(_ input: borrowing SecretBytes, publicKey: Data) throws {
    do {
      key = try P384._VOPRF.PublicKey(compressedRepresentation: publicKey)
    } catch {
      throw AtRestError(damaged: "The key server's public key is not a point of P-384.")
    }
    do {
      self.input = try key.blind(Data(copying: input))
    } catch {
      throw AtRestError(
        .invalidArgument, "The passphrase cannot be hashed to the curve.",
        remedy: "Choose another passphrase.", cause: error)
    }
  }

  /// Verifies the proof, and returns the output of the function, 48 bytes.
  ///
  /// - Throws: ``AtRestError/Code/otherServerKey`` if the evaluation was not made with the pinned
  ///   key; ``AtRestError/Code/damaged`` if the bytes are not an evaluation.
  public func finalize(_ evaluation: Data) throws -> SecretBytes {
    let decoded: P384._VOPRF.BlindEvaluation
    do {
      decoded = try P384._VOPRF.BlindEvaluation(rawRepresentation: evaluation)
    } catch {
      throw AtRestError(damaged: "The key server's evaluation has a value that is out of range.")
    }
    do {
      var output = try key.finalize(input, using: decoded)
      return SecretBytes(erasing: &output)
    } catch {
      throw AtRestError(
        .otherServerKey, "The key server answered with another key than the pinned one.",
        remedy: "Do not retry. Ask the operator whether the server was replaced or attacked.")
    }
  }
}
