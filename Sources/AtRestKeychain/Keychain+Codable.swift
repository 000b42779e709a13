import AtRestCrypto
import Foundation

/// Codable values as secrets, stored as JSON.
extension Keychain {
  /// Stores a value whether or not the item exists.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the value cannot be encoded; otherwise the
  ///   errors of `set(_:secret:attributes:protection:context:)`.
  @discardableResult
  public func setValue(
    _ value: some Encodable, for key: PrimaryKey, attributes: ItemAttributes = [:],
    protection: ItemProtection? = nil, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    var data: Data
    do {
      data = try JSONEncoder().encode(value)
    } catch {
      // The cause is not passed on, because it could quote the value.
      throw AtRestError.invalid(
        "The value of type \(type(of: value)) cannot be encoded as JSON.",
        remedy: "Check its encode(to:).")
    }
    return try set(
      key, secret: SecretBytes(erasing: &data), attributes: attributes, protection: protection,
      context: context)
  }

  /// Returns the value of the item with a primary key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the item holds a value of another type;
  ///   otherwise the errors of `secret(for:context:)`.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> Value {
    var data = Data(copying: try secret(for: key, context: context))
    defer { data.resetBytes(in: 0..<data.count) }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      // The cause is not passed on, because it could quote the secret.
      throw AtRestError.invalid(
        "The item \(key.words) does not hold a value of type \(type).",
        remedy: "Read it as the type that was stored.")
    }
  }
}
