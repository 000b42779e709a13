import AtRestCrypto
import Foundation

/// A typed preference key with a default value.
public struct PreferenceKey<Value: Codable & Sendable>: Sendable {
  /// The key.
  public let name: String
  /// The value to return if none is set.
  public let defaultValue: Value

  /// Creates a key.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }
}

extension Preferences {
  /// Returns the value of a typed key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the stored value has another type; otherwise
  ///   the errors of `object(forKey:)`.
  public func value<Value>(for key: PreferenceKey<Value>) throws -> Value {
    guard let object = try object(forKey: key.name) else { return key.defaultValue }
    if let value = object as? Value { return value }
    guard
      let data = try? PropertyListSerialization.data(
        fromPropertyList: [object], format: .binary, options: 0),
      let value = try? PropertyListDecoder().decode([Value].self, from: data)
    else {
      throw AtRestError.invalid(
        "The preference \(key.name) cannot be read as \(Value.self).",
        remedy: "Read it as the type it was set with, or remove it.")
    }
    return value[0]
  }

  /// Sets the value of a typed key.
  ///
  /// - Throws: The errors of `set(_:forKey:)`.
  public func set<Value>(_ value: Value, for key: PreferenceKey<Value>) throws {
    let data: Data
    do {
      data = try PropertyListEncoder().encode([value])
    } catch {
      throw AtRestError(
        .invalidArgument, "The value for \(key.name) cannot be encoded.",
        remedy: "See the cause.", cause: withheld(error))
    }
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    try set((list as? [Any])?.first, forKey: key.name)
  }
}
