/// A value that is hidden in every description, dump, mirror and interpolation.
///
/// ```swift
/// struct Card: Codable {
///   let holder: String
///   @Sensitive var number: String
/// }
/// print(card)  // Card(holder: "Eva", _number: [withheld])
/// send(card.number)
/// ```
///
/// The value is withheld wherever Swift prints something that contains it: a struct, an optional,
/// an array, a dictionary, an error. A value taken out with ``wrappedValue``, ``reveal()`` or
/// ``withValue(_:)`` is an ordinary value again. Encoding writes the real value, because it must
/// survive storage and transmission; use ``RedactingLogHandler`` for values that are encoded into
/// logs.
///
/// The value is in ordinary memory, where a debugger or a core dump can find it. Store keys in
/// ``SecretBytes``.
///
/// Safe to use from several threads if the wrapped value is.
@propertyWrapper
public struct Sensitive<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Wraps a value.
  public init(_ value: Value) { wrappedValue = value }

  /// The wrapper itself, for passing the value on without showing it.
  public var projectedValue: Sensitive<Value> {
    get { self }
    set { self = newValue }
  }

  /// Returns the value itself. The name makes the disclosure visible in code.
  public func reveal() -> Value { wrappedValue }

  /// Calls a closure with the value.
  public func withValue<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(wrappedValue)
  }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text `[withheld]`, whatever the value.
  public var description: String { Redaction.mark }
  /// The text `[withheld]`, whatever the value.
  public var debugDescription: String { Redaction.mark }
}

extension Sensitive: CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// A mirror without children.
  public var customMirror: Mirror {
    Mirror(self, children: EmptyCollection(), ancestorRepresentation: .suppressed)
  }
  /// The text `[withheld]`, whatever the value.
  public var playgroundDescription: Any { Redaction.mark }
}

extension Sensitive: Sendable where Value: Sendable {}
extension Sensitive: Equatable where Value: Equatable {}
extension Sensitive: Hashable where Value: Hashable {}

extension Sensitive: Decodable where Value: Decodable {
  /// Decodes the value itself.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension Sensitive: Encodable where Value: Encodable {
  /// Encodes the real value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a wrapped optional whose key may be missing.
  public func decode<Value: Decodable>(
    _ type: Sensitive<Value?>.Type, forKey key: Key
  ) throws -> Sensitive<Value?> {
    Sensitive(try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes a wrapped optional, and omits its key if there is no value.
  public mutating func encode<Value: Encodable>(
    _ value: Sensitive<Value?>, forKey key: Key
  ) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
