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
    // Where four letters stand for a number, as in `htps`, the store keeps that number.
    if attribute.mayBeFourLetters, case .text(let text) = self, text.utf8.count == 4,
      Int64(text) == nil
    {
      self = .number(text.utf8.reduce(0) { $0 << 8 | Int64($1) })
    }
    do {
      self = try normalized(for: attribute)
    } catch {
      throw StatusError(errSecParam)
    }
  }

  /// The value as applications get it.
  func foundation(for attribute: Attribute) -> Any {
    switch self {
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

extension Attribute {
  /// Whether applications may write four letters for the number.
  fileprivate var mayBeFourLetters: Bool {
    isFourLetters || self == .creator || self == .type
  }

  /// Whether applications know the values by four letters.
  fileprivate var isFourLetters: Bool { self == .networkProtocol || self == .authenticationType }

  /// Whether items of any class have the attribute.
  var isKnown: Bool { Self.known.contains(self) }

  private static let known = ItemClass.allCases.reduce(into: Set<Attribute>()) {
    $0.formUnion($1.attributes)
  }
}
