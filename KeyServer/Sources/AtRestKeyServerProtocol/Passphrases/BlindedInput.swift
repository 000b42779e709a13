import AtRestCrypto
import Foundation

/// An input that was blinded for a server, with what is needed to unblind the answer.
///
/// ```swift
/// let blinded = try BlindedInput(input, publicKey: pinned)
/// let evaluation = try await ask(server, blinded.element)
/// let output = try blinded.finalize(evaluation)       // refused under any other key
/// ```
public struct BlindedInput: Sendable {
  private let suite: EvaluationSuite
  private let input: any SuiteBlindedInput

  /// The blinded element. It is uniformly random and reveals nothing about the input.
  public var element: GroupElement { GroupElement(suite, input.element) }

  /// Blinds an input with a fresh random blind.
  ///
  /// - Parameter publicKey: The public key of the server that the answer must be made with.
  /// - Throws: ``AtRestError/Code/damaged`` if the key is not an element of the group, or the
  ///   identity; ``AtRestError/Code/invalidArgument`` if the input cannot be hashed to the group.
  public init(_ input: borrowing SecretBytes, publicKey: GroupElement) throws {
    suite = publicKey.suite
    self.input = try suite.blindedInputType.init(input, publicKey: publicKey.bytes)
  }

  /// Verifies the proof, and returns the output of the function: 48 bytes with P384-SHA384, 64 with
  /// ristretto255-SHA512.
  ///
  /// - Throws: ``AtRestError/Code/otherServerKey`` if the evaluation was not made with the pinned
  ///   key; ``AtRestError/Code/damaged`` if the bytes are not an evaluation.
  public func finalize(_ evaluation: Data) throws -> SecretBytes { try input.finalize(evaluation) }
}
