@_spi(Tools) import AtRestCrypto
import Foundation

/// The attributes of an item, by name.
public struct ItemAttributes: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  public typealias Element = (key: ItemAttribute, value: ItemAttributeValue)

  // The elements are sorted by name. Items have few attributes, so a search is faster than hashing.
  private var elements: [Element] = []

  /// Creates an empty set of attributes.
  public init() {}

  /// Creates attributes from a dictionary literal. The last value of a repeated name wins.
  public init(dictionaryLiteral elements: (ItemAttribute, ItemAttributeValue)...) {
    self.elements.reserveCapacity(elements.count)
    for (attribute, value) in elements { self[attribute] = value }
  }

  /// The value of an attribute, or nil if the attribute is not set.
  public subscript(_ attribute: ItemAttribute) -> ItemAttributeValue? {
    get { elements.first { $0.key == attribute }?.value }
    set {
      var position = elements.count
      while position > 0, !elements[position - 1].key.isOrdered(before: attribute) { position -= 1 }
      let isThere = position < elements.count && elements[position].key == attribute
      switch newValue {
      case .some(let value) where isThere: elements[position].value = value
      case .some(let value): elements.insert((attribute, value), at: position)
      case .none: if isThere { elements.remove(at: position) }
      }
    }
  }

  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  /// The number of attributes.
  public var count: Int { elements.count }

  /// Returns these attributes merged with `others`, whose values win.
  public func merging(_ others: ItemAttributes) -> ItemAttributes {
    if elements.isEmpty { return others }
    var result = self
    for (attribute, value) in others.elements { result[attribute] = value }
    return result
  }

  /// The account as text, or nil if it is not set or not text.
  public var account: String? { self[.account]?.text }
  /// The service as text, or nil if it is not set or not text.
  public var service: String? { self[.service]?.text }
  /// The server as text, or nil if it is not set or not text.
  public var server: String? { self[.server]?.text }
  /// The label as text, or nil if it is not set or not text.
  public var label: String? { self[.label]?.text }
  /// The comment as text, or nil if it is not set or not text.
  public var comment: String? { self[.comment]?.text }
  /// The date on which the item was created, or nil if it is not set.
  public var creationDate: Date? { date(.creationDate) }
  /// The date on which the item last changed, or nil if it is not set.
  public var modificationDate: Date? { date(.modificationDate) }

  private func date(_ attribute: ItemAttribute) -> Date? {
    guard case .date(let date) = self[attribute] else { return nil }
    return date
  }

  /// Checks that an item class has these attributes, and converts each value to the type of its
  /// attribute.
  ///
  /// - Throws: ``AtRestError/Code/noSuchAttribute``; ``AtRestError/Code/invalidArgument`` if a
  ///   value cannot be converted to the type.
  func normalized(for itemClass: ItemClass) throws -> ItemAttributes {
    var result = self
    for index in elements.indices {
      let attribute = elements[index].key
      guard itemClass.allows(attribute) else {
        throw AtRestError(
          .noSuchAttribute, "Items of class \(itemClass.rawValue) have no attribute \(attribute).",
          remedy: "Leave it out, or choose another class.")
      }
      if let value = try elements[index].value.converted(for: attribute) {
        result.elements[index].value = value
      }
    }
    return result
  }

  // MARK: As bytes

  func encode(into writer: inout ByteWriter) {
    writer.integer(UInt16(elements.count))
    for (attribute, value) in elements {
      writer.integer(attribute.code)
      if let name = attribute.customName { writer.counted(utf8: name) }
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
    let count = try reader.integer(UInt16.self)
    elements.reserveCapacity(Swift.min(Int(count), 64))
    for _ in 0..<count {
      let attribute = try Self.attribute(from: &reader)
      let kind = try reader.integer(UInt8.self)
      let bytes = try reader.counted(limit: 1 << 24)
      var number: Int64 {
        bytes.count == 8 ? Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) : 0
      }
      let value: ItemAttributeValue =
        switch kind {
        case 1: .text(String(decoding: bytes, as: UTF8.self))
        case 3: .number(number)
        case 4: .date(Date(wholeMilliseconds: number))
        default: .data(Data(bytes))
        }
      self[attribute] = value
    }
  }

  private static func attribute(from reader: inout ByteReader) throws -> ItemAttribute {
    let letters = Array(try reader.fixed(4))
    guard letters == [0, 0, 0, 0] else {
      return ItemAttribute(rawValue: String(decoding: letters, as: UTF8.self))
    }
    return .custom(String(decoding: try reader.counted(limit: 1 << 16), as: UTF8.self))
  }

  /// True if an attribute is a custom one.
  var hasCustom: Bool { elements.contains { $0.key.customName != nil } }
}

extension ItemAttributes: Hashable {
  public static func == (a: ItemAttributes, b: ItemAttributes) -> Bool {
    a.elements.elementsEqual(b.elements) { $0.key == $1.key && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    for (attribute, value) in elements {
      hasher.combine(attribute)
      hasher.combine(value)
    }
  }
}

extension ItemAttributes: Codable {
  /// Decodes an object whose keys are the names of attributes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.singleValueContainer().decode([String: ItemAttributeValue].self)
    for (name, value) in values { self[ItemAttribute(rawValue: name)] = value }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let named = elements.map { ($0.key.rawValue, $0.value) }
    try container.encode(Dictionary(named) { _, last in last })
  }
}
