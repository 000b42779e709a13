import AtRestCrypto
import AtRestKeychain
import Foundation

extension AttributeValue {
  /// The value of an attribute as an application gives it: a string, data, number, Boolean or date.
  ///
  /// - Throws: ``StatusError`` with `errSecParam` for other types.
  init(any value: Any, for attribute: Attribute) throws {
    if let text = value as? String {
      self = .text(text)
    } else if let data = value as? Data {
      self = .data(data)
    } else if let number = value as? NSNumber {
      self = .number(number.int64Value)
    } else if let date = value as? Date {
      self = .date(date)
    } else {
      throw StatusError(errSecParam)
    }
    do {
      self = try normalized(for: attribute)
    } catch {
      throw StatusError(errSecParam)
    }
  }

  /// The value as applications get it.
  var foundation: Any {
    switch self {
    case .text(let text): text
    case .data(let data): data
    case .number(let number): NSNumber(value: number)
    case .date(let date): date
    }
  }
}

extension Attribute {
  /// Whether items of any class have the attribute.
  var isKnown: Bool { Self.known.contains(self) }

  private static let known = ItemClass.allCases.reduce(into: Set<Attribute>()) {
    $0.formUnion($1.attributes)
  }
}
