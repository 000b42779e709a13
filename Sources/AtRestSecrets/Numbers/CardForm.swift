/// The numbers of the payment cards of an issuer (ISO/IEC 7812).
public struct CardForm: Sendable {
  /// The issuer or the scheme.
  public let issuer: String
  /// The first digits, as ranges of the first six.
  public let beginnings: [ClosedRange<Int>]
  /// The first digits, as they are written in the table.
  public let digits: String
  /// The numbers of digits that are issued today.
  public let exact: [Int]
  /// The numbers of digits in a log, where the first two digits are enough.
  public let loose: [Int]

  /// The issuers, one per line. The source is ISO/IEC 7812-1 and the issuers' ranges in the register of the
  /// American Bankers Association, as they are published on <https://en.wikipedia.org/wiki/Payment_card_number>.
  public static let all: [CardForm] = [
    .init("Visa", "4", [13, 16, 19]),
    .init("Mastercard", "51-55 2221-2720", [16]),
    .init("American Express", "34 37", [15]),
    .init("Discover", "6011 644-659", [16], loosely: [16, 17, 18, 19]),
    .init("JCB", "3528-3589", [16]),
    .init("Diners Club", "36", [14], loosely: [14, 16]),
    .init("Diners Club", "300-305 38-39", [14]),
    .init("UnionPay", "62", [16, 17, 18, 19]),
    .init("Maestro", "50", [16], loosely: [16, 17, 18, 19]),
    .init("Maestro", "56-58", [16]),
  ]

  /// The groups in which cards show their numbers.
  public static let groupings = [[4, 4, 4, 4], [4, 4, 4, 4, 3], [4, 6, 5], [4, 6, 4]]
  /// The groups in which programs write the numbers of cards. Other numbers in groups are versions, amounts,
  /// addresses and lists.
  public static let looseGroupings =
    groupings + [
      [4, 4, 4, 4, 1], [4, 4, 4, 4, 2], [4, 3, 3, 3], [4, 4, 4, 1], [6, 13], [8, 8],
    ]

  private init(_ issuer: String, _ digits: String, _ exact: [Int], loosely loose: [Int]? = nil) {
    self.issuer = issuer
    self.digits = digits
    self.exact = exact
    self.loose = loose ?? exact
    beginnings = digits.split(separator: " ").map { part in
      let ends = part.split(separator: "-")
      func six(_ text: Substring, _ fill: Character) -> Int {
        Int(text + String(repeating: fill, count: 6 - text.count)) ?? 0
      }
      return six(ends[0], "0")...six(ends[ends.count - 1], "9")
    }
  }

  /// Returns true if digits are the number of a card in the exact form: its first digits, its length, and the
  /// Luhn check digit are right.
  ///
  /// - Parameter digits: The values of the digits, 0 to 9.
  public static func isCard(_ digits: [UInt8]) -> Bool {
    guard (13...19).contains(digits.count) else { return false }
    let first = digits.prefix(6).reduce(0) { $0 * 10 + Int($1) }
    return all.contains {
      $0.exact.contains(digits.count) && $0.beginnings.contains { $0.contains(first) }
    } && passesLuhn(digits)
  }

  /// Returns true if digits may be the number of a card: its first two digits, its length, and the Luhn check
  /// digit are right.
  public static func mayBeCard(_ digits: [UInt8]) -> Bool {
    guard (13...19).contains(digits.count) else { return false }
    return looseTable[digits.count * 100 + Int(digits[0]) * 10 + Int(digits[1])]
      && passesLuhn(digits)
  }

  /// For each length and first two digits, whether an issuer has them.
  private static let looseTable: [Bool] = {
    var table = [Bool](repeating: false, count: 2000)
    for form in all {
      for count in form.loose {
        for beginning in form.beginnings {
          for first in beginning.lowerBound / 10_000...beginning.upperBound / 10_000 {
            table[count * 100 + first] = true
          }
        }
      }
    }
    return table
  }()

  /// Returns true if the last digit is the check digit of the others (ISO/IEC 7812-1, annex B).
  public static func passesLuhn(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let value = Int(digit) << (place & 1)
      sum += value > 9 ? value - 9 : value
    }
    return sum % 10 == 0
  }
}
