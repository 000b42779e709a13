import Foundation

/// What a key exchange is told beside the other's public key.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let name: String

  public init(rawValue: CFString) { name = rawValue as String }
  public var rawValue: CFString { name as CFString }

  /// How many bytes to derive: a number.
  public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
  /// What enters the derivation beside the secret: data.
  public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
