import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

extension ItemAttributeValue {
  /// Creates an attribute's value from an object that an application passes: a string, data,
  /// number, Boolean or date.
  ///
  /// - Throws: ``StatusError`` with `errSecParam` if the attribute cannot have this value.
  init(any value: Any, for attribute: ItemAttribute) throws {
    if attribute.isString {
      self = .text(try ItemRequest.text(value, attribute.rawValue))
    } else if let text = value as? String {
      self = .text(text)
    } else if attribute == .authenticationType, let data = value as? Data,
      let text = String(validating: data, as: UTF8.self)
    {
      self = .text(text)
    } else if let data = value as? Data {
      self = .data(data)
    } else if let number = value as? NSNumber, attribute.takesBooleans || !number.isBoolean {
      self = .number(try Self.whole(number, attribute.rawValue))
    } else if let date = value as? Date {
      self = .date(date)
    } else {
      throw ItemRequest.wrongType(value, attribute.rawValue, "a string, data, a number or a date")
    }
    // If four letters stand for a number, as in `htps`, the store keeps the number.
    if attribute.mayBeFourLetters, case .text(let text) = self, text.utf8.count == 4,
      Int64(text) == nil
    {
      self = .number(text.utf8.reduce(0) { $0 << 8 | Int64($1) })
    }
    do {
      self = try normalized(for: attribute)
    } catch let error as AtRestError {
      throw StatusError(errSecParam, error.description)
    }
  }

  /// Returns a number as an integer.
  ///
  /// - Throws: ``StatusError`` with `errSecDecode` if the number has a fraction or is too large.
  static func whole(_ number: NSNumber, _ key: String) throws -> Int64 {
    guard let whole = Int64(exactly: number) else {
      throw StatusError(errSecDecode, "The value of \(key) is not a whole number.")
    }
    return whole
  }

  /// Returns the value as an object of the type that applications receive.
  func foundation(for attribute: ItemAttribute) -> Any {
    switch self {
    // The default of this attribute is the empty string, although its values are four letters.
    case .number(0) where attribute == .authenticationType: ""
    case .number(let number) where attribute.isFourLetters && number >> 24 > 0:
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) {
        String(decoding: $0, as: UTF8.self)
      }
    case .text(let text): text
    case .data(let data): data
    case .number(let number): NSNumber(value: number)
    case .date(let date): date
    }
  }
}

extension ItemAttribute {
  /// True if only strings are values of the attribute.
  fileprivate var isString: Bool { self == .tokenID || self == .syncViewHint }

  /// True if a Boolean stands for 0 or 1.
  fileprivate var takesBooleans: Bool { kind == .number && self != .authenticationType }

  /// True if applications may pass the attribute's number as four letters.
  fileprivate var mayBeFourLetters: Bool {
    isFourLetters || self == .creator || self == .type
  }

  /// True if applications receive the attribute's number as four letters.
  fileprivate var isFourLetters: Bool { self == .networkProtocol || self == .authenticationType }

  /// True if items of at least one class have the attribute.
  var isKnown: Bool { Self.known.contains(self) }

  private static let known = ItemClass.allCases.reduce(into: Set<ItemAttribute>()) {
    $0.formUnion($1.attributes)
  }
}
