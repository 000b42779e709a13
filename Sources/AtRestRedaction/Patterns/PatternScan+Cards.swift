@_spi(Tools) import AtRestSecrets

extension PatternScan {
  private static let separators = Array(" -.".utf8)
  /// The numbers of digit pairs in card numbers of 14 and 16 digits.
  private static let pairCounts = [7, 8]

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
        let groupEnd = end(of: text, from: index, while: { $0.isDigit })
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
        // Several more groups are a list of numbers.
        if groups.count - (last - first + 1) < 2 {
          found(groups[first].lowerBound..<groups[last].upperBound)
        }
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
    guard isPairs || hasDots && CardForm.looseGroupings.contains(counts) else { return nil }
    let digits = groups.flatMap { text[$0] }.map { $0 - UInt8(ascii: "0") }
    guard CardForm.mayBeCard(digits) else { return nil }
    return first.lowerBound..<last.upperBound
  }

  /// Returns the index of the last group of a card number that begins with the given group, or nil
  /// if no card number begins there.
  private static func card(_ text: [UInt8], _ groups: [Range<Int>], from first: Int) -> Int? {
    guard "23456".utf8.contains(text[groups[first].lowerBound]) else { return nil }
    var digits: [UInt8] = []
    var counts: [Int] = []
    var last: Int?
    for index in first..<groups.count {
      guard digits.count + groups[index].count <= 19 else { break }
      digits += text[groups[index]].map { $0 - UInt8(ascii: "0") }
      counts.append(groups[index].count)
      guard digits.count >= 13, counts.count == 1 || CardForm.looseGroupings.contains(counts),
        CardForm.mayBeCard(digits)
      else { continue }
      // Identifiers are as long as the longest card numbers.
      let before = groups[first].lowerBound > 0 ? text[groups[first].lowerBound - 1] : 0x20
      if digits.count > 16, counts.count == 1, "_-".utf8.contains(before) { continue }
      last = index
    }
    return last
  }
}
