import Foundation

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Creates a parameter from its key in a dictionary.
  public init(rawValue: CFString) { name = rawValue as String }
  /// The parameter's key in a dictionary.
  public var rawValue: CFString { name as CFString }

  /// The number of bytes to derive.
  public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
  /// Data that is hashed together with the shared secret when bytes are derived.
  public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
