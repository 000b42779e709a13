import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// Encrypted preferences of an account or of the device, with calls like those of `UserDefaults`.
///
/// ```swift
/// let preferences = account.preferences
/// try preferences.set(true, forKey: "compact")
/// let isCompact = try preferences.bool(forKey: "compact")
///
/// extension PreferenceKey<Theme> { static let theme = PreferenceKey("theme", default: .light) }
/// try preferences.set(.dark, for: .theme)
/// ```
///
/// All preferences together must not exceed ``maximumSize`` bytes. Each change is durable when the
/// call returns, and other processes see the change at their next call. The values are property
/// list values: `Data`, `String`, `Bool`, numbers, `Date`, and arrays and dictionaries of these.
///
/// Safe to use from several threads.
public final class Preferences: BlockingCalls, ValueCache {
  /// The largest size of a compartment's preferences as a property list: 4,194,304 bytes.
  public static let maximumSize = 4_194_304

  private let compartment: Compartment
  private let record: VaultRecord<Data>
  // A property list contains only immutable values.
  private struct Contents: @unchecked Sendable { var values: [String: Any] }
  private struct State {
    /// The contents that were read last, and the identity of the stored value that held them.
    var read: (id: Data, contents: Contents)?
    var registered = Contents(values: [:])
    var nextWatcher = 0
    var watchers: [Int: AsyncStream<String>.Continuation] = [:]
  }
  private let state = Mutex(State())

  init(_ compartment: Compartment, name: String) {
    self.compartment = compartment
    record = VaultRecord(name, .preference)
  }

  /// Erases the cached contents when the store locks.
  func forget() { state.withLock { $0.read = nil } }

  // MARK: Any value

  /// Returns the value for a key, its registered default if no value is set, or nil if there is
  /// neither.
  ///
  /// - Throws: The errors of ``Compartment``'s `value(in:)`, except ``AtRestError/Code/notFound``.
  public func object(forKey key: String) throws -> Any? {
    try values()[key] ?? state.withLock { $0.registered }.values[key]
  }

  /// Sets the value for a key, or removes the value if you pass nil.
  ///
  /// - Throws: `AtRestError.Code.neverStored` if the key announces a password;
  ///   ``AtRestError/Code/invalidArgument`` if the value cannot be in a property list, or
  ///   if all preferences together would exceed ``maximumSize``; otherwise the errors of
  ///   ``Compartment``'s `store(_:in:)`. If the call throws, nothing is changed.
  public func set(_ value: Any?, forKey key: String) throws {
    guard let value else { return try removeObject(forKey: key) }
    try PasswordNames.check(preferences: [key: value])
    try change([key]) { $0[key] = value }
  }

  /// Removes the value for a key.
  ///
  /// - Throws: The errors of `set(_:forKey:)`.
  public func removeObject(forKey key: String) throws {
    try change([key], needsPasscode: false) { $0[key] = nil }
  }

  /// Registers default values, which are returned for keys that have no value. Defaults are not
  /// stored.
  public func register(defaults: [String: Any]) {
    let defaults = Contents(values: defaults)
    state.withLock { $0.registered.values.merge(defaults.values) { _, new in new } }
  }

  /// Returns all values, including registered defaults.
  ///
  /// - Throws: The errors of `object(forKey:)`.
  public func dictionaryRepresentation() throws -> [String: Any] {
    state.withLock { $0.registered }.values.merging(try values()) { _, set in set }
  }

  // MARK: Typed values

  /// Returns the string for a key, or nil if it has none. A number is converted to a string.
  public func string(forKey key: String) throws -> String? {
    let value = try object(forKey: key)
    return value as? String ?? (value as? NSNumber)?.stringValue
  }
  /// Returns the data for a key, or nil if it has none.
  public func data(forKey key: String) throws -> Data? { try object(forKey: key) as? Data }
  /// Returns the date for a key, or nil if it has none.
  public func date(forKey key: String) throws -> Date? { try object(forKey: key) as? Date }
  /// Returns the array for a key, or nil if it has none.
  public func array(forKey key: String) throws -> [Any]? { try object(forKey: key) as? [Any] }
  /// Returns the array of strings for a key, or nil if it has none.
  public func stringArray(forKey key: String) throws -> [String]? {
    try object(forKey: key) as? [String]
  }
  /// Returns the dictionary for a key, or nil if it has none.
  public func dictionary(forKey key: String) throws -> [String: Any]? {
    try object(forKey: key) as? [String: Any]
  }
  /// Returns the integer for a key, or 0 if it has none. A string of digits is converted.
  public func integer(forKey key: String) throws -> Int {
    switch try object(forKey: key) {
    case let number as NSNumber: number.intValue
    case let text as String: Int(text) ?? 0
    default: 0
    }
  }
  /// Returns the number for a key, or 0 if it has none. A string that contains a number is
  /// converted.
  public func double(forKey key: String) throws -> Double {
    switch try object(forKey: key) {
    case let number as NSNumber: number.doubleValue
    case let text as String: Double(text) ?? 0
    default: 0
    }
  }
  /// Returns the Boolean value for a key, or false if it has none. `YES`, `true` and numbers other
  /// than 0 are true.
  public func bool(forKey key: String) throws -> Bool {
    switch try object(forKey: key) {
    case let number as NSNumber: number.boolValue
    case let text as String: (text as NSString).boolValue
    default: false
    }
  }

  // MARK: Import

  /// Imports the preferences in a property list, such as the file of a `UserDefaults` domain, in
  /// one step.
  ///
  /// The file is plaintext and is not deleted; delete it yourself.
  ///
  /// - Parameters:
  ///   - replacing: True to replace values that already exist.
  ///   - excluded: The keys to leave out, such as those of passwords, which are never stored.
  /// - Returns: The imported keys.
  /// - Throws: ``AtRestError/Code/notFound`` if the file does not exist;
  ///   ``AtRestError/Code/system`` if it cannot be read; ``AtRestError/Code/damaged`` if it is not
  ///   a property list with a dictionary at its root; otherwise the errors of `set(_:forKey:)`.
  @discardableResult
  public func importPropertyList(
    at url: URL, replacing: Bool = false, excluding excluded: Set<String> = []
  ) throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw AtRestError(
        .notFound, "There is no file \(url.path).", remedy: "Check the path.")
    }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw AtRestError(
        .system, "Could not read \(url.path).", remedy: "Check the path and its permissions.",
        cause: error)
    }
    let imported = Contents(
      values: try Self.decode(data, url.path).filter { !excluded.contains($0.key) })
    try PasswordNames.check(preferences: imported.values)
    var taken: [String] = []
    try change(Array(imported.values.keys)) { values in
      taken = imported.values.keys.filter { replacing || values[$0] == nil }.sorted()
      for key in taken { values[key] = imported.values[key] }
    }
    return taken
  }

  // MARK: Changes

  /// A stream of the keys whose values are changed through this object from now on.
  public var changes: AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(1_024))
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = continuation
      return state.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
    }
    return stream
  }

  // MARK: The property list

  private func values() throws -> [String: Any] { try read().contents.values }

  /// Returns the current preferences, and the identity of the stored value that holds them. Both
  /// results are empty if no value is stored.
  private func read() throws -> (id: Data, contents: Contents) {
    try compartment.vault.checkRuntimeIfDue()
    while true {
      do {
        let head = try compartment.item(record.name).find().head
        if let read = state.withLock({ $0.read }), read.id == head.id { return read }
        let (found, data) = try compartment.identifiedData(in: record)
        // If the value was replaced between the two reads, read again.
        guard found == head.id else { continue }
        let read = (
          id: found, contents: Contents(values: try Self.decode(data, "The preferences"))
        )
        // A value that needs an additional key is not cached, because each access must require the
        // key.
        if head.key == .device { state.withLock { $0.read = read } }
        return read
      } catch AtRestError.Code.notFound {
        return (Data(), Contents(values: [:]))
      }
    }
  }

  private func change(
    _ keys: [String], needsPasscode: Bool = true, _ body: (inout [String: Any]) throws -> Void
  ) throws {
    try PasswordNames.check(record)
    var isStored = false
    while !isStored {
      var (id, contents) = try read()
      try body(&contents.values)
      let payload = try encode(contents, keys)
      do {
        // The identity is checked, so two processes cannot undo each other's changes.
        var writer = try compartment.writer(of: record, size: payload.count)
        (writer.replaced, writer.needsPasscode) = (id, needsPasscode)
        try writer.write(payload)
        isStored = true
      } catch is ValueItem.Replaced {}
    }
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { for key in keys { watcher.yield(key) } }
  }

  private func encode(_ contents: Contents, _ keys: [String]) throws -> SecretBytes {
    guard PropertyListSerialization.propertyList(contents.values, isValidFor: .binary) else {
      throw AtRestError.invalid(
        "A value for \(keys.sorted().joined(separator: ", ")) cannot be in a property list.",
        remedy: "Store it with a typed key (PreferenceKey), or as a value of the vault.")
    }
    var data = try PropertyListSerialization.data(
      fromPropertyList: contents.values, format: .binary, options: 0)
    guard data.count <= Self.maximumSize else {
      throw AtRestError.invalid(
        "The preferences would take \(data.count) bytes; the limit is \(Self.maximumSize).",
        remedy: "Store large data as a document of its own, with store(_:in:).")
    }
    return SecretBytes(erasing: &data)
  }

  private static func decode(_ data: Data, _ name: String) throws -> [String: Any] {
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let values = list as? [String: Any] else {
      throw AtRestError.damaged("\(name) is not a property list with a dictionary.")
    }
    return values
  }
}

extension Compartment {
  /// The preferences of this account or device. While the object is in use, each access returns the
  /// same one.
  public var preferences: Preferences { preferences(named: "preferences") }

  /// Returns preferences under another name, like a suite of `UserDefaults`.
  public func preferences(named name: String) -> Preferences {
    vault.cache(of: place(name)) { Preferences(self, name: name) }
  }
}
