import AtRestCrypto
import Foundation

/// A group and a hash function of RFC 9497, in the verifiable mode.
///
/// Every key, element and evaluation belongs to a suite. New accounts have the last one.
public enum EvaluationSuite: UInt8, CaseIterable, Comparable, Sendable {
  /// P384-SHA384, which accounts had first.
  case p384 = 1
  /// ristretto255-SHA512.
  case ristretto255 = 2

  /// The suite of new accounts.
  package static let current = ristretto255

  /// The name in RFC 9497.
  public var name: String {
    switch self {
    case .p384: "P384-SHA384"
    case .ristretto255: "ristretto255-SHA512"
    }
  }

  /// The size of a private key, a scalar, in bytes.
  package var privateKeyCount: Int { privateKeyType.count }
  /// The size of a public key and of a blinded element in bytes.
  package var elementCount: Int { privateKeyType.elementCount }
  /// The size of an evaluation in bytes: an element and a proof of two scalars.
  package var evaluationCount: Int { elementCount + 2 * privateKeyCount }

  var privateKeyType: any SuitePrivateKey.Type {
    switch self {
    case .p384: P384PrivateKey.self
    case .ristretto255: Ristretto255PrivateKey.self
    }
  }

  var blindedInputType: any SuiteBlindedInput.Type {
    switch self {
    case .p384: P384BlindedInput.self
    case .ristretto255: Ristretto255BlindedInput.self
    }
  }

  /// The size of uniform bytes from which ``privateKey(from:)`` makes a key.
  package var uniformCount: Int { privateKeyType.uniformCount }

  /// Makes the bytes of a private key from uniform bytes.
  package func privateKey(from uniform: borrowing SecretBytes) -> SecretBytes {
    privateKeyType.privateKey(from: uniform)
  }

  public static func < (a: EvaluationSuite, b: EvaluationSuite) -> Bool { a.rawValue < b.rawValue }
}

extension MessageReader {
  /// Reads the number of a suite.
  package mutating func suite() throws -> EvaluationSuite {
    guard let suite = try optionalSuite() else { throw damaged("names no suite") }
    return suite
  }

  /// Reads the number of a suite, or 0.
  package mutating func optionalSuite() throws -> EvaluationSuite? {
    let number = try integer(UInt8.self)
    if number == 0 { return nil }
    guard let suite = EvaluationSuite(rawValue: number) else {
      throw damaged("names the suite \(number), which is unknown")
    }
    return suite
  }
}

/// The server's part of a suite. The sizes of what it takes and returns are those of the suite.
protocol SuitePrivateKey: Sendable {
  static var count: Int { get }
  static var elementCount: Int { get }
  static var uniformCount: Int { get }
  static func privateKey(from uniform: borrowing SecretBytes) -> SecretBytes

  /// Creates a random key.
  init()
  /// Restores a key, or throws *damaged* if the bytes are not a scalar other than zero.
  init(privateKey: borrowing SecretBytes) throws
  /// Returns the bytes of the key.
  func encoded() -> SecretBytes
  var publicKey: Data { get }

  /// Returns the evaluated element followed by the proof, or throws *damaged* if the bytes are not an element other
  /// than the identity.
  func evaluate(_ blindedElement: Data) throws -> Data
  /// Computes the function directly.
  func output(of input: Data) throws -> Data
}

/// The client's part of a suite.
protocol SuiteBlindedInput: Sendable {
  init(_ input: borrowing SecretBytes, publicKey: Data) throws
  var element: Data { get }
  func finalize(_ evaluation: Data) throws -> SecretBytes
}

extension AtRestError {
  /// The error for an evaluation whose proof does not hold under the pinned key.
  static var otherServerKey: AtRestError {
    AtRestError(
      .otherServerKey, "The key server answered with another key than the pinned one.",
      remedy: "Do not retry. Ask the operator whether the server was replaced or attacked.")
  }

  static func notHashed(_ cause: (any Error)? = nil) -> AtRestError {
    AtRestError(
      .invalidArgument, "The passphrase cannot be hashed to the group.",
      remedy: "Choose another passphrase.", cause: cause)
  }
}
