extension SecretScan {
  private static let cardWords = [
    "card", "visa", "mastercard", "amex", "pan", "cc", "credit", "debit", "karte", "tarjeta",
    "carte",
    "cardnumber", "cardno", "creditcard",
  ]
  private static let identityWords = [
    "ssn", "social security", "social-security", "socialsecurity",
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
    guard isLong || count == 9 else { return (end, false, nil) }
    let range = start..<end
    let groups = text[range].split(whereSeparator: { !ASCII.isDigit($0) }).map(\.count)
    let digits = text[range].filter(ASCII.isDigit).map { $0 &- 0x30 }
    let detection = card(digits, groups, range) ?? identityNumber(digits, groups, range)
    return (end, isLong, detection)
  }

  private func card(_ digits: [UInt8], _ groups: [Int], _ range: Range<Int>) -> Detection? {
    guard Self.isCard(digits), Set(digits).count > 1 else { return nil }
    let isGrouped =
      groups == [4, 4, 4, 4] || groups == [4, 6, 5] || groups == [4, 4, 4, 4, 3]
      || groups == [4, 6, 4]
    if isGrouped || hasContext(Self.cardWords, around: range) {
      return Detection(.cardNumber, range, .certain, in: text)
    }
    // One number in ten has a valid check digit, so a number alone may be an identifier.
    guard groups.count == 1, digits.count >= 15, !hasContext(["id", "identifier"], around: range),
      !SecretName.isNumbering(valueName), !SecretName.isNumbering(key(before: range.lowerBound))
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

  /// Checks the length and the issuer (ISO/IEC 7812), and the Luhn check digit.
  private static func isCard(_ digits: [UInt8]) -> Bool {
    guard (13...19).contains(digits.count) else { return false }
    let prefix = digits.prefix(6).reduce(0) { $0 * 10 + Int($1) }
    let lengths: ClosedRange<Int>? =
      switch prefix {
      case 400_000...499_999: digits.count == 13 ? 13...13 : digits.count == 19 ? 19...19 : 16...16
      case 510_000...559_999, 222_100...272_099: 16...16
      case 340_000...349_999, 370_000...379_999: 15...15
      case 601_100...601_199, 644_000...659_999, 352_800...358_999: 16...16
      case 300_000...305_999, 360_000...369_999, 380_000...399_999: 14...14
      case 620_000...629_999: 16...19
      default: nil
      }
    guard lengths?.contains(digits.count) == true else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, next in
      let value = Int(next.element) * (next.offset % 2 == 1 ? 2 : 1)
      return sum + (value > 9 ? value - 9 : value)
    }
    return sum % 10 == 0
  }

  private func identityNumber(
    _ digits: [UInt8], _ groups: [Int], _ range: Range<Int>
  ) -> Detection? {
    guard digits.count == 9, groups == [3, 2, 4] || groups == [9] else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1) }
    let (area, group, serial) = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
    guard area != 0, area != 666, area < 900, group != 0, serial != 0,
      hasContext(Self.identityWords, around: range)
    else { return nil }
    return Detection(.identityNumber, range, .certain, in: text, note: "US social security number")
  }

  /// Reads a bank account number (ISO 13616), in one piece or in groups of four.
  func iban(at start: Int) -> Detection? {
    guard text.count - start >= 15, ASCII.isLetter(text[start + 1]), text[start + 1] & 0x20 == 0,
      ASCII.isDigit(text[start + 2]), ASCII.isDigit(text[start + 3]),
      let length = Self.ibanLengths[String(decoding: text[start..<start + 2], as: UTF8.self)]
    else { return nil }
    var characters: [UInt8] = []
    var place = start
    while place < text.count, characters.count < length {
      let byte = text[place]
      if ASCII.isDigit(byte) || byte &- 0x41 < 26 {
        characters.append(byte)
      } else if byte != 0x20 || characters.count % 4 != 0 {
        return nil
      }
      place += 1
    }
    guard characters.count == length, place == text.count || !ASCII.isAlphanumeric(text[place])
    else {
      return nil
    }
    let rest = (characters[4...] + characters[..<4]).reduce(0) { rest, byte in
      ASCII.isDigit(byte)
        ? (rest * 10 + Int(byte) - 0x30) % 97 : (rest * 100 + Int(byte) - 0x37) % 97
    }
    return rest == 1 ? Detection(.bankAccount, start..<place, .certain, in: text) : nil
  }

  private static let ibanLengths: [String: Int] = {
    let lengths = """
      AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 \
      EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 \
      KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 \
      PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 \
      XK20
      """
    return Dictionary(
      lengths.split(separator: " ").map { (String($0.prefix(2)), Int($0.dropFirst(2)) ?? 0) },
      uniquingKeysWith: { first, _ in first })
  }()
}
