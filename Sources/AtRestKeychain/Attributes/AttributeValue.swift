import AtRestCrypto
import Foundation

/// The value of an attribute.
///
/// Text and data are equal when their bytes are: `"é"` in its composed and its decomposed form are
/// two values, a string and its UTF-8 are one. Each comes back in the form it was given.
public enum AttributeValue: Hashable, Sendable, Codable, CustomStringConvertible {
  case text(String)
  case data(Data)
  case number(Int64)
  case date(Date)

  /// The bytes by which the value is compared, hashed and bound to its item.
  var comparisonBytes: Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .data(let data): data
    case .number(let number): withUnsafeBytes(of: number.bigEndian) { Data($0) }
    case .date(let date): withUnsafeBytes(of: date.wholeMilliseconds.bigEndian) { Data($0) }
    }
  }

  /// Writes the bytes that the value is compared by, with their count.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .text(let text): writer.counted(utf8: text)
    case .data, .number, .date: writer.counted(comparisonBytes)
    }
  }

  /// Whether the value is what an absent one of a primary key counts as.
  func isEmpty(for attribute: Attribute) -> Bool {
    attribute.kind == .number ? self == .number(0) : comparisonBytes.isEmpty
  }

  private var isBytes: Bool {
    switch self {
    case .text, .data: true
    case .number, .date: false
    }
  }

  public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
    a.isBytes == b.isBytes && a.comparisonBytes == b.comparisonBytes
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(comparisonBytes) }

  /// The value as text, where it is text or UTF-8.
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
      text ?? data.map { String(format: "%02x", $0) }.joined()
    case .number(let number): String(number)
    case .date(let date): date.formatted(.iso8601)
    }
  }

  /// The value as the attribute's kind wants it.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it cannot be.
  package func normalized(for attribute: Attribute) throws -> AttributeValue {
    switch (attribute.kind, self) {
    case (.text, .text), (.text, .data), (.data, .text), (.data, .data), (.number, .number),
      (.date, .date):
      return self
    case (.text, .number(let number)): return .text(String(number))
    case (.number, .text(let text)):
      if text.isEmpty { return .number(0) }
      if let number = Int64(text) { return .number(number) }
    default: break
    }
    throw AtRestError.invalid(
      "The attribute \(attribute) does not take this type of value.",
      remedy: "It takes \(attribute.kind == .date ? "a date" : "\(attribute.kind)").")
  }
}

extension Date {
  // Dates out of range become the epoch instead of a trap.
  fileprivate var wholeMilliseconds: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0
  }

  fileprivate init(wholeMilliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(wholeMilliseconds) / 1000)
  }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .number(value ? 1 : 0) }
}

/// The attributes of an item, by name.
public struct Attributes: Hashable, Sendable, Codable, ExpressibleByDictionaryLiteral, Sequence {
  private var values: [Attribute: AttributeValue]

  /// No attributes.
  public init() { values = [:] }

  public init(dictionaryLiteral elements: (Attribute, AttributeValue)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// The value of an attribute, or nil where the item has none.
  public subscript(_ attribute: Attribute) -> AttributeValue? {
    get { values[attribute] }
    set { values[attribute] = newValue }
  }

  public func makeIterator() -> Dictionary<Attribute, AttributeValue>.Iterator {
    values.makeIterator()
  }

  /// The number of attributes.
  public var count: Int { values.count }

  /// These attributes, with those of `others` over them.
  public func merging(_ others: Attributes) -> Attributes {
    var result = self
    result.values.merge(others.values) { _, new in new }
    return result
  }

  public var account: String? { self[.account]?.text }
  public var service: String? { self[.service]?.text }
  public var server: String? { self[.server]?.text }
  public var label: String? { self[.label]?.text }
  public var comment: String? { self[.comment]?.text }
  public var creationDate: Date? { date(.creationDate) }
  public var modificationDate: Date? { date(.modificationDate) }

  private func date(_ attribute: Attribute) -> Date? {
    guard case .date(let date) = self[attribute] else { return nil }
    return date
  }

  /// Checks names against an item class and values against their kinds.
  func normalized(for itemClass: ItemClass) throws -> Attributes {
    let known = itemClass.attributes
    var result = Attributes()
    for (attribute, value) in values {
      guard known.contains(attribute) else {
        throw AtRestError(
          .noSuchAttribute, "Items of class \(itemClass.rawValue) have no attribute \(attribute).",
          remedy: "Leave it out, or choose another class.")
      }
      result[attribute] = try value.normalized(for: attribute)
    }
    return result
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(UInt16(values.count))
    for (attribute, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.fixed(utf8: attribute.rawValue)
      switch value {
      case .text: writer.integer(UInt8(1))
      case .data: writer.integer(UInt8(2))
      case .number: writer.integer(UInt8(3))
      case .date: writer.integer(UInt8(4))
      }
      value.encode(into: &writer)
    }
  }

  init(from reader: inout ByteReader) throws {
    values = [:]
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let name = String(decoding: try reader.fixed(4), as: UTF8.self)
      let kind = try reader.integer(UInt8.self)
      let bytes = Data(try reader.counted(limit: 1 << 24))
      func number() -> Int64 {
        bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | Int64($1) } : 0
      }
      values[Attribute(rawValue: name)] =
        switch kind {
        case 1: .text(String(decoding: bytes, as: UTF8.self))
        case 3: .number(number())
        case 4: .date(Date(wholeMilliseconds: number()))
        default: .data(bytes)
        }
    }
  }
}

extension AtRestError.Code {
  /// Items of the class have no such attribute.
  public static let noSuchAttribute = AtRestError.Code(rawValue: "no-such-attribute")
}
