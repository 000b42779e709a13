import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// Preferences of an account or of the device, with the calls of `UserDefaults`, sealed.
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
/// All preferences together take ``maximumSize`` bytes at most. Each change is durable when the call
/// returns, and seen by other processes at their next call. The values are a property list: `Data`,
/// `String`, `Bool`, numbers, `Date`, arrays and dictionaries of those.
///
/// Safe to use from several threads.
public final class Preferences: Sendable {
  /// What all preferences of a compartment take at most, as a property list: 4,194,304 bytes.
  public static let maximumSize = 4_194_304

  private let compartment: Compartment
  private let record: Record<Data>
  // A property list holds immutable values alone.
  private struct Contents: @unchecked Sendable { var values: [String: Any] }
  private struct State {
    /// As read last, and the identity of the stored value that it was.
    var read: (id: Data, contents: Contents)?
    var registered = Contents(values: [:])
    var nextWatcher = 0
    var watchers: [Int: AsyncStream<String>.Continuation] = [:]
  }
  private let state = Mutex(State())

  init(_ compartment: Compartment, name: String) {
    self.compartment = compartment
    record = Record(name, .preference)
  }

  /// At a lock.
  func forget() { state.withLock { $0.read = nil } }

  // MARK: Any value

  /// The value of a key, or what was registered for it, or nil.
  ///
  /// - Throws: As ``Compartment``'s `value(in:)`, but for ``AtRestError/Code/notFound``.
  public func object(forKey key: String) throws -> Any? {
    try values()[key] ?? state.withLock { $0.registered }.values[key]
  }

  /// Sets the value of a key; nil removes it.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the value is none of a property list, or all
  ///   would take more than ``maximumSize``, and nothing is changed then; otherwise as
  ///   ``Compartment``'s `store(_:in:)`.
  public func set(_ value: Any?, forKey key: String) throws {
    try change([key]) { $0[key] = value }
  }

  /// Removes the value of a key.
  ///
  /// - Throws: As ``set(_:forKey:)``.
  public func removeObject(forKey key: String) throws { try change([key]) { $0[key] = nil } }

  /// Values for keys that have none. They are not stored.
  public func register(defaults: [String: Any]) {
    let defaults = Contents(values: defaults)
    state.withLock { $0.registered.values.merge(defaults.values) { _, new in new } }
  }

  /// All values, those registered among them.
  ///
  /// - Throws: As ``object(forKey:)``.
  public func dictionaryRepresentation() throws -> [String: Any] {
    state.withLock { $0.registered }.values.merging(try values()) { _, set in set }
  }

  // MARK: Values of a type

  /// The string of a key, or a number as one; or nil.
  public func string(forKey key: String) throws -> String? {
    let value = try object(forKey: key)
    return value as? String ?? (value as? NSNumber)?.stringValue
  }
  /// The data of a key, or nil.
  public func data(forKey key: String) throws -> Data? { try object(forKey: key) as? Data }
  /// The date of a key, or nil.
  public func date(forKey key: String) throws -> Date? { try object(forKey: key) as? Date }
  /// The array of a key, or nil.
  public func array(forKey key: String) throws -> [Any]? { try object(forKey: key) as? [Any] }
  /// The strings of a key, or nil.
  public func stringArray(forKey key: String) throws -> [String]? {
    try object(forKey: key) as? [String]
  }
  /// The dictionary of a key, or nil.
  public func dictionary(forKey key: String) throws -> [String: Any]? {
    try object(forKey: key) as? [String: Any]
  }
  /// The integer of a key, or 0; text of digits counts.
  public func integer(forKey key: String) throws -> Int {
    switch try object(forKey: key) {
    case let number as NSNumber: number.intValue
    case let text as String: Int(text) ?? 0
    default: 0
    }
  }
  /// The number of a key, or 0.
  public func double(forKey key: String) throws -> Double {
    switch try object(forKey: key) {
    case let number as NSNumber: number.doubleValue
    case let text as String: Double(text) ?? 0
    default: 0
    }
  }
  /// The Boolean of a key, or false; `YES`, `true` and numbers but 0 count.
  public func bool(forKey key: String) throws -> Bool {
    switch try object(forKey: key) {
    case let number as NSNumber: number.boolValue
    case let text as String: (text as NSString).boolValue
    default: false
    }
  }

  // MARK: Import

  /// Takes the preferences of a property list over, as that of a `UserDefaults` domain, in one step.
  ///
  /// The file stays: delete it, since it is plain.
  ///
  /// - Parameter replacing: Whether values that are there already give way.
  /// - Returns: The keys that were taken over.
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/damaged`` where it is no property list
  ///   with a dictionary; otherwise as ``set(_:forKey:)``.
  @discardableResult
  public func importPropertyList(at url: URL, replacing: Bool = false) throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw AtRestError(
        .notFound, "There is no file \(url.path).", remedy: "Name the property list to import.")
    }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw AtRestError(
        .system, "\(url.path) cannot be read.", remedy: "Check its permissions.", cause: error)
    }
    let imported = Contents(values: try Self.decode(data, url.path))
    var taken: [String] = []
    try change(Array(imported.values.keys)) { values in
      taken = imported.values.keys.filter { replacing || values[$0] == nil }.sorted()
      for key in taken { values[key] = imported.values[key] }
    }
    return taken
  }

  // MARK: Changes

  /// The keys that this object changes, from now on.
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

  /// The present values, and the identity of the stored value that they are; empty for none.
  private func read() throws -> (id: Data, contents: Contents) {
    try compartment.vault.checkRuntimeIfDue()
    while true {
      do {
        let head = try compartment.find(record.name).head
        if let read = state.withLock({ $0.read }), read.id == head.id { return read }
        let (found, data) = try compartment.identifiedData(in: record)
        // Else it was replaced in between.
        guard found == head.id else { continue }
        let read = (
          id: found, contents: Contents(values: try Self.decode(data, "The preferences"))
        )
        // What needs a further key needs it each time.
        if head.key == .device { state.withLock { $0.read = read } }
        return read
      } catch AtRestError.Code.notFound {
        return (Data(), Contents(values: [:]))
      }
    }
  }

  private func change(_ keys: [String], _ body: (inout [String: Any]) throws -> Void) throws {
    var isStored = false
    while !isStored {
      var (id, contents) = try read()
      try body(&contents.values)
      let payload = try encode(contents, keys)
      do {
        // So that two processes do not undo each other's changes.
        try compartment.store(
          payload, record.name, record.classification, record.retention, replacing: id)
        isStored = true
      } catch is Compartment.Replaced {}
    }
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { for key in keys { watcher.yield(key) } }
  }

  private func encode(_ contents: Contents, _ keys: [String]) throws -> SecretBytes {
    guard PropertyListSerialization.propertyList(contents.values, isValidFor: .binary) else {
      throw AtRestError.invalid(
        "A value for \(keys.sorted().joined(separator: ", ")) is none of a property list.",
        remedy: "Store it with a typed key (PreferenceKey), or as a value of the vault.")
    }
    var data = try PropertyListSerialization.data(
      fromPropertyList: contents.values, format: .binary, options: 0)
    guard data.count <= Self.maximumSize else {
      throw AtRestError.invalid(
        "The preferences would take \(data.count) bytes, and \(Self.maximumSize) are the most.",
        remedy: "Store what is large as a value of its own: store(_:in:), as a document.")
    }
    return SecretBytes(erasing: &data)
  }

  private static func decode(_ data: Data, _ name: String) throws -> [String: Any] {
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let values = list as? [String: Any] else {
      throw AtRestError.damaged("\(name) holds no property list with a dictionary.")
    }
    return values
  }
}

extension Compartment {
  /// The preferences of this account or device. The same object while somebody keeps it.
  public var preferences: Preferences { preferences(named: "preferences") }

  /// Preferences of another name, as a suite of `UserDefaults`.
  public func preferences(named name: String) -> Preferences {
    vault.preferences(self, name)
  }
}
