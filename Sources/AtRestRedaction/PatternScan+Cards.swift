extension PatternScan {
  private static let separators = Array(" -.".utf8)
  /// The groupings of card numbers that are written with dots. Other numbers with dots are
  /// versions, amounts and addresses.
  private static let groupings: [[Int]] = [[4, 4, 4, 4], [4, 4, 4, 4, 3], [4, 6, 5], [4, 6, 4]]
  /// The numbers of digit pairs in card numbers of 14 and 16 digits.
  private static let pairCounts = [7, 8]
  /// The first two digits of card numbers with 14 digits. Seven pairs that begin with other digits
  /// are a date and a time.
  private static let issuersOfShortCards: [UInt8] = [30, 36, 38, 39]

  static func paymentCards(_ text: [UInt8], _ found: Found) {
    var index = 0
    while index < text.count {
      guard text[index].isDigit, index == 0 || !text[index - 1].isAlphanumeric else {
        index += 1
        continue
      }
      // Finds groups of digits with single separators between them.
      var groups: [Range<Int>] = []
      while true {
        let groupEnd = end(of: text, from: index, while: \.isDigit)
        groups.append(index..<groupEnd)
        index = groupEnd
        guard index + 1 < text.count, text[index + 1].isDigit, separators.contains(text[index])
        else { break }
        index += 1
      }
      if index < text.count, text[index].isAlphanumeric { groups.removeLast() }
      // Splits the groups into parts that are separated only by dots, and parts without dots.
      func hasDot(behind group: Int) -> Bool {
        text[groups[group].upperBound] == UInt8(ascii: ".")
      }
      var first = 0
      while first < groups.count {
        var last = first
        let hasDots = groups.count > first + 1 && hasDot(behind: first)
        while last + 1 < groups.count, hasDot(behind: last) == hasDots { last += 1 }
        let part = Array(groups[first...last])
        if let card = wholeCard(text, part, hasDots) {
          found(card)
        } else if hasDots {
          // A card number may be written as a decimal number, in which the digits after the dot are
          // a fraction.
          if part.count == 2 { cards(text, [part[0]], found) }
        } else {
          cards(text, part, found)
        }
        // A group between a dot and another separator belongs to both parts.
        first = last > first && last < groups.count - 1 ? last : last + 1
      }
    }
  }

  private static func cards(_ text: [UInt8], _ groups: [Range<Int>], _ found: Found) {
    var first = 0
    while first < groups.count {
      if let last = card(text, groups, from: first) {
        found(groups[first].lowerBound..<groups[last].upperBound)
        first = last
      }
      first += 1
    }
  }

  /// Returns the range of a card number in pairs or with dots. The result is nil unless the groups
  /// are exactly one card number.
  private static func wholeCard(
    _ text: [UInt8], _ groups: [Range<Int>], _ hasDots: Bool
  ) -> Range<Int>? {
    guard let first = groups.first, let last = groups.last, groups.count > 1 else { return nil }
    let counts = groups.map(\.count)
    let isPairs = pairCounts.contains(groups.count) && counts.allSatisfy { $0 == 2 }
    guard isPairs || hasDots && groupings.contains(counts) else { return nil }
    let digits = groups.flatMap { text[$0] }.map { $0 - UInt8(ascii: "0") }
    guard isIssued(digits), passesLuhn(digits) else { return nil }
    return first.lowerBound..<last.upperBound
  }

  /// Returns true if digits begin like a card number (ISO/IEC 7812).
  private static func isIssued(_ digits: [UInt8]) -> Bool {
    let issuer = digits[0] * 10 + digits[1]
    if digits.count == 14 { return issuersOfShortCards.contains(issuer) }
    return switch issuer {
    case 22...27, 30, 34...39, 40...49, 51...55, 60, 62, 64, 65: true
    default: false
    }
  }

  /// Returns the index of the last group of a card number that begins with the given group, or nil
  /// if no card number begins there.
  private static func card(_ text: [UInt8], _ groups: [Range<Int>], from first: Int) -> Int? {
    guard "23456".utf8.contains(text[groups[first].lowerBound]) else { return nil }
    var digits: [UInt8] = []
    var last: Int?
    for index in first..<groups.count {
      guard digits.count + groups[index].count <= 19 else { break }
      digits += text[groups[index]].map { $0 - UInt8(ascii: "0") }
      if digits.count >= 13, passesLuhn(digits) { last = index }
      // Groups of one or two digits are a list.
      if groups[index].count < 3 { break }
    }
    return last
  }

  private static func passesLuhn(_ digits: [UInt8]) -> Bool {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let value = Int(digit) << (place & 1)
      sum += value > 9 ? value - 9 : value
    }
    return sum % 10 == 0
  }
}
