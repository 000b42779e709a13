import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls with typed keys, which run off the caller's actor.
extension Preferences {
  /// A value of a property list. Such values are immutable.
  private struct Value: @unchecked Sendable { let value: Any? }

  /// Returns the value of a typed key, read off the caller's actor.
  public func value<Value>(for key: PreferenceKey<Value>) async throws -> Value {
    try await offActor { try self.value(for: key) }
  }

  /// Sets the value of a typed key, off the caller's actor.
  public func set<Value>(_ value: Value, for key: PreferenceKey<Value>) async throws {
    try await offActor { try self.set(value, for: key) }
  }
}
