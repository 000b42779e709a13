/// A value that no description, dump, mirror or interpolation shows.
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
/// It withholds the value wherever Swift prints what holds it: in a struct, an optional, an array, a
/// dictionary, an error. What is taken out, by ``wrappedValue``, ``reveal()`` or ``withValue(_:)``, is
/// an ordinary value again. Encoding encodes the real value, since a value that is stored or sent has
/// to arrive: ``RedactingLogHandler`` is for what is encoded into logs.
///
/// The value is in ordinary memory, where a debugger and a core dump find it. Keys belong in
/// ``SecretBytes``.
///
/// Safe to use from several threads where the value is.
@propertyWrapper
public struct Sensitive<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Wraps a value.
  public init(_ value: Value) { wrappedValue = value }

  /// The value with its wrapper, to hand on without showing it.
  public var projectedValue: Sensitive<Value> {
    get { self }
    set { self = newValue }
  }

  /// The value itself, under a name that reads as what it does.
  public func reveal() -> Value { wrappedValue }

  /// Calls a closure with the value.
  public func withValue<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(wrappedValue)
  }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible {
  /// `[withheld]`, whatever the value.
  public var description: String { Redaction.mark }
  /// `[withheld]`, whatever the value.
  public var debugDescription: String { Redaction.mark }
}

extension Sensitive: CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// A mirror without children.
  public var customMirror: Mirror {
    Mirror(self, children: EmptyCollection(), ancestorRepresentation: .suppressed)
  }
  /// `[withheld]`, whatever the value.
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
  /// Decodes a wrapped optional whose key may be left out.
  public func decode<Value: Decodable>(
    _ type: Sensitive<Value?>.Type, forKey key: Key
  ) throws -> Sensitive<Value?> {
    Sensitive(try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes a wrapped optional, and leaves its key out where there is no value.
  public mutating func encode<Value: Encodable>(
    _ value: Sensitive<Value?>, forKey key: Key
  ) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

/// What stands in place of what is withheld.
enum Redaction {
  static let mark = "[withheld]"
}
