import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls, which have the same names and run off the caller's actor.
extension Preferences {
  /// A value of a property list. Such values are immutable.
  private struct Value: @unchecked Sendable { let value: Any? }

  private func read<Result>(
    _ body: @escaping @Sendable (Preferences) throws -> Result?
  ) async throws -> sending Result? {
    try await offActor { Value(value: try body(self)) }.value as? Result
  }

  /// Returns the value for a key, read off the caller's actor.
  public func object(forKey key: String) async throws -> sending Any? {
    try await offActor { Value(value: try self.object(forKey: key)) }.value
  }

  /// Sets the value for a key, off the caller's actor.
  public func set(_ value: sending Any?, forKey key: String) async throws {
    let value = Value(value: value)
    try await offActor { try self.set(value.value, forKey: key) }
  }

  /// Removes the value for a key, off the caller's actor.
  public func removeObject(forKey key: String) async throws {
    try await offActor { try self.removeObject(forKey: key) }
  }

  /// Returns all values, read off the caller's actor.
  public func dictionaryRepresentation() async throws -> sending [String: Any] {
    try await read { try $0.dictionaryRepresentation() } ?? [:]
  }

  /// Returns the string for a key, read off the caller's actor.
  public func string(forKey key: String) async throws -> String? {
    try await offActor { try self.string(forKey: key) }
  }

  /// Returns the data for a key, read off the caller's actor.
  public func data(forKey key: String) async throws -> Data? {
    try await offActor { try self.data(forKey: key) }
  }

  /// Returns the date for a key, read off the caller's actor.
  public func date(forKey key: String) async throws -> Date? {
    try await offActor { try self.date(forKey: key) }
  }

  /// Returns the array for a key, read off the caller's actor.
  public func array(forKey key: String) async throws -> sending [Any]? {
    try await read { try $0.array(forKey: key) }
  }

  /// Returns the array of strings for a key, read off the caller's actor.
  public func stringArray(forKey key: String) async throws -> [String]? {
    try await offActor { try self.stringArray(forKey: key) }
  }

  /// Returns the dictionary for a key, read off the caller's actor.
  public func dictionary(forKey key: String) async throws -> sending [String: Any]? {
    try await read { try $0.dictionary(forKey: key) }
  }

  /// Returns the integer for a key, read off the caller's actor.
  public func integer(forKey key: String) async throws -> Int {
    try await offActor { try self.integer(forKey: key) }
  }

  /// Returns the number for a key, read off the caller's actor.
  public func double(forKey key: String) async throws -> Double {
    try await offActor { try self.double(forKey: key) }
  }

  /// Returns the Boolean value for a key, read off the caller's actor.
  public func bool(forKey key: String) async throws -> Bool {
    try await offActor { try self.bool(forKey: key) }
  }

  /// Returns the value of a typed key, read off the caller's actor.
  public func value<Value>(for key: PreferenceKey<Value>) async throws -> Value {
    try await offActor { try self.value(for: key) }
  }

  /// Sets the value of a typed key, off the caller's actor.
  public func set<Value>(_ value: Value, for key: PreferenceKey<Value>) async throws {
    try await offActor { try self.set(value, for: key) }
  }

  /// Imports the preferences in a property list, off the caller's actor.
  @discardableResult
  public func importPropertyList(
    at url: URL, replacing: Bool = false, excluding excluded: Set<String> = []
  ) async throws -> [String] {
    try await offActor {
      try self.importPropertyList(at: url, replacing: replacing, excluding: excluded)
    }
  }
}
