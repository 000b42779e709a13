import AtRestCrypto
import Foundation

/// The server's secret key of an oblivious pseudorandom function: RFC 9497, verifiable mode.
///
/// The key turns a blinded passphrase into a blinded result and proves that it used this key. It
/// learns neither the passphrase nor the result.
public struct EvaluationKey: Sendable {
  /// The suite.
  public let suite: EvaluationSuite
  private let key: any SuitePrivateKey

  /// Creates a random key.
  public init(_ suite: EvaluationSuite = .ristretto255) {
    self.suite = suite
    key = suite.privateKeyType.init()
  }

  /// Restores a key from its bytes.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not a scalar of the group, or are zero.
  public init(_ suite: EvaluationSuite, privateKey bytes: borrowing SecretBytes) throws {
    self.suite = suite
    key = try suite.privateKeyType.init(privateKey: bytes)
  }

  /// The private key.
  public var privateKey: SecretBytes { key.encoded() }

  /// The public key. A client pins it and then accepts no evaluation under another key.
  public var publicKey: GroupElement { GroupElement(suite, key.publicKey) }

  /// Evaluates a blinded element, and returns the evaluated element followed by the proof.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not an element of the group, or are the
  ///   identity, or the suite is another one.
  public func evaluate(_ blindedElement: GroupElement) throws -> Data {
    guard blindedElement.suite == suite else {
      throw AtRestError(damaged: "A blinded element belongs to another suite than the key.")
    }
    return try key.evaluate(blindedElement.bytes)
  }

  /// Computes the function directly, for tests and for those who hold both the key and the input.
  package func output(of input: Data) throws -> Data { try key.output(of: input) }
}
