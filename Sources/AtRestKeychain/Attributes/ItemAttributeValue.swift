@_spi(Tools) import AtRestCrypto
import Foundation

/// The value of an attribute.
///
/// Text and data are equal if their bytes are equal. The composed and the decomposed form of `"é"`
/// are different values, but a string and its UTF-8 data are the same value. Each value is returned
/// in the form in which it was stored.
public enum ItemAttributeValue: Hashable, Sendable, Codable, CustomStringConvertible {
  case text(String)
  case data(Data)
  case number(Int64)
  case date(Date)

  /// Calls a closure with the bytes by which the value is compared, hashed and indexed.
  func withComparisonBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    switch self {
    case .text(var text): try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    case .data(let data): try data.withUnsafeBytes(body)
    case .number(let number): try withUnsafeBytes(of: number.bigEndian, body)
    case .date(let date): try withUnsafeBytes(of: date.wholeMilliseconds.bigEndian, body)
    }
  }

  /// Writes the bytes by which the value is compared, preceded by their count.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .text(let text): writer.counted(utf8: text)
    case .data(let data): writer.counted(data)
    case .number, .date: withComparisonBytes { writer.counted($0) }
    }
  }

  /// Returns true if the value is the default value of an attribute of a primary key.
  func isEmpty(for attribute: ItemAttribute) -> Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .data(let data): data.isEmpty
    case .number(let number): number == 0 && attribute.kind == .number
    case .date(let date): date == .defaultValue
    }
  }

  private var isBytes: Bool {
    switch self {
    case .text, .data: true
    case .number, .date: false
    }
  }

  public static func == (a: ItemAttributeValue, b: ItemAttributeValue) -> Bool {
    a.isBytes == b.isBytes
      && a.withComparisonBytes { mine in
        b.withComparisonBytes { mine.elementsEqual($0) }
      }
  }

  public func hash(into hasher: inout Hasher) {
    withComparisonBytes { hasher.combine(bytes: $0) }
  }

  /// The value as text: the text itself, UTF-8 data, or a number in decimal digits. nil for other
  /// data and for dates.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .data(let data): String(validating: data, as: UTF8.self)
    case .number(let number): String(number)
    case .date: nil
    }
  }

  public var description: String {
    switch self {
    case .text(let text): text
    case .data(let data):
      text ?? data.hexadecimal
    case .number(let number): String(number)
    case .date(let date): date.formatted(.iso8601)
    }
  }

  /// Returns the value in the type of the attribute.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if it cannot be converted.
  package func normalized(for attribute: ItemAttribute) throws -> ItemAttributeValue {
    try converted(for: attribute) ?? self
  }

  /// Returns the value in the type of the attribute, or nil if it already has that type.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if it cannot be converted.
  func converted(for attribute: ItemAttribute) throws -> ItemAttributeValue? {
    switch (attribute.kind, self) {
    case (.text, .text), (.text, .data), (.data, .text), (.data, .data), (.number, .number),
      (.date, .date):
      return nil
    case (.text, .number(let number)): return .text(String(number))
    case (.number, .text(let text)):
      if text.isEmpty { return .number(0) }
      if let number = Int64(text) { return .number(number) }
    default: break
    }
    throw AtRestError.invalid(
      "The attribute \(attribute) does not take this type of value.",
      remedy: "Use \(attribute.kind == .date ? "a date" : "\(attribute.kind)").")
  }
}

extension Date {
  /// The date of an attribute of a primary key that has no other value, as in Apple's keychain.
  static let defaultValue = Date(timeIntervalSinceReferenceDate: 0)

  // A date out of range becomes the epoch, because converting it would trap.
  var wholeMilliseconds: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0
  }

  init(wholeMilliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(wholeMilliseconds) / 1000)
  }
}

extension ItemAttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a text value.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a number value.
  public init(integerLiteral value: Int64) { self = .number(value) }
  /// Creates a number value: 1 for true, 0 for false.
  public init(booleanLiteral value: Bool) { self = .number(value ? 1 : 0) }
}
