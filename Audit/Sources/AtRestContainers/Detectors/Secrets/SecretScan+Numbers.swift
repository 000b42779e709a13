import AtRestSecrets

extension SecretScan {
  private static let cardWords = [
    "card", "visa", "mastercard", "amex", "pan", "cc", "credit", "debit", "karte", "tarjeta",
    "carte",
    "cardnumber", "cardno", "creditcard",
  ]

  /// Reads the number at a position, with single separators, and determines what it is.
  func number(
    at start: Int
  ) -> (end: Int, isLong: Bool, detection: Detection?)? {
    var count = 0
    var separator: UInt8?
    var end = start
    var place = start
    while place < text.count, count < 24 {
      let first = place
      while place < text.count, ASCII.isDigit(text[place]), place - first < 24 { place += 1 }
      count += place - first
      end = place
      guard place + 1 < text.count, text[place] == 0x20 || text[place] == 0x2D,
        ASCII.isDigit(text[place + 1]), separator == nil || separator == text[place]
      else { break }
      separator = text[place]
      place += 1
    }
    func isPart(_ byte: UInt8) -> Bool {
      ASCII.isAlphanumeric(byte) || byte == 0x5F || byte == 0x2D
    }
    let before: UInt8 = start > 0 ? text[start - 1] : 0x20
    let isFraction =
      end + 1 < text.count && text[end] == 0x2E && ASCII.isDigit(text[end + 1])
      || before == 0x2E || before == 0x2D
    guard !isFraction, end == text.count || !isPart(text[end]) else { return (end, false, nil) }
    let isLong = (13...19).contains(count)
    guard isLong else { return (end, false, nil) }
    let range = start..<end
    let groups = text[range].split(whereSeparator: { !ASCII.isDigit($0) }).map(\.count)
    let digits = text[range].filter(ASCII.isDigit).map { $0 &- 0x30 }
    return (end, isLong, card(digits, groups, range))
  }

  private func card(_ digits: [UInt8], _ groups: [Int], _ range: Range<Int>) -> Detection? {
    guard CardForm.isCard(digits), Set(digits).count > 1 else { return nil }
    let isGrouped = CardForm.groupings.contains(groups)
    if isGrouped || hasContext(Self.cardWords, around: range) {
      return Detection(.cardNumber, range, .certain, in: text)
    }
    // One number in ten has a valid check digit, so a number alone may be an identifier.
    guard groups.count == 1, digits.count >= 15, !hasContext(["id", "identifier"], around: range),
      !isNumbering(range)
    else { return nil }
    return Detection(.cardNumber, range, .possible, in: text)
  }

  /// The word before a number, as in `order_id=…` and `"orderId": …`.
  private func key(before place: Int) -> String {
    func isWord(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || byte == 0x5F }
    var end = place
    while end > 0, place - end < 6, !isWord(text[end - 1]) { end -= 1 }
    var start = end
    while start > 0, end - start < 32, isWord(text[start - 1]) { start -= 1 }
    return String(decoding: text[start..<end], as: UTF8.self)
  }

  /// Returns true if the value, or the key before a number, is called a number of something.
  private func isNumbering(_ range: Range<Int>) -> Bool {
    SecretName.isNumbering(valueName) || SecretName.isNumbering(key(before: range.lowerBound))
  }

  /// Reads the number by which a state identifies a person.
  func identityNumber(at start: Int) -> Detection? {
    guard let match = IdentityForm.match(in: text, at: start) else { return nil }
    let isAnnounced = hasContext(match.form.words, around: match.range)
    guard isAnnounced || match.strength > .none && !isNumbering(match.range) else { return nil }
    return Detection(
      .identityNumber, match.range,
      isAnnounced ? .certain : match.strength == .strong ? .likely : .possible, in: text,
      note: match.form.name)
  }

  /// Reads a bank account number (ISO 13616), in one piece or in groups of four.
  func iban(at start: Int) -> Detection? {
    guard let end = AccountForm.end(in: text, at: start, loosely: false) else { return nil }
    return Detection(.bankAccount, start..<end, .certain, in: text)
  }
}
