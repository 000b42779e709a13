import Foundation

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Creates a parameter from its key in a dictionary.
  public init(rawValue: NSString) { name = rawValue as String }
  /// The parameter's key in a dictionary.
  public var rawValue: NSString { name as NSString }

  /// The number of bytes to derive.
  public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
  /// Data that is hashed together with the shared secret when bytes are derived.
  public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")

  /// Returns the values of a dictionary by the names of their keys, which are text or parameters.
  package static func values(of dictionary: [AnyHashable: Any]) -> [String: Any] {
    var values: [String: Any] = [:]
    for (key, value) in dictionary {
      if let name = name(of: key.base) { values[name] = value }
    }
    return values
  }

  /// Returns the name of a key in a dictionary. In a Swift dictionary, the parameter itself may be the key.
  package static func name(of key: Any) -> String? {
    (key as? SecKeyKeyExchangeParameter)?.name ?? key as? String
  }
}
