import Foundation

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Creates a parameter from its key.
  public init(rawValue: CFString) { name = rawValue as String }
  /// The key of the parameter in a dictionary.
  public var rawValue: CFString { name as CFString }

  /// The number of bytes to derive.
  public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
  /// Data that enters the derivation together with the shared secret.
  public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
