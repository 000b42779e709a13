extension PatternScan {
  /// A form in which a state writes the number of a person.
  private struct IdentityNumber: Sendable {
    /// `9` stands for a digit, `A` for a capital letter, `*` for either, anything else for itself.
    let template: [UInt8]
    let isValid: @Sendable ([UInt8]) -> Bool

    init(_ template: String, _ isValid: @escaping @Sendable ([UInt8]) -> Bool) {
      self.template = Array(template.utf8)
      self.isValid = isValid
    }

    /// Returns true if the bytes from an index on have the form.
    func fits(_ text: [UInt8], _ start: Int) -> Bool {
      for (place, form) in template.enumerated() {
        let byte = text[start + place]
        let isRight =
          switch form {
          case UInt8(ascii: "9"): byte.isDigit
          case UInt8(ascii: "A"): byte.isCapital
          case UInt8(ascii: "*"): byte.isDigit || byte.isCapital
          default: byte == form
          }
        guard isRight else { return false }
      }
      return true
    }
  }

  /// The numbers whose form or check digits are rare in other text. The checks get the letters and
  /// digits without separators.
  private static let identityNumbers: [IdentityNumber] = [
    // United States, social security
    .init("999-99-9999") { number in
      let area = value(number[..<3])
      return area != 0 && area != 666 && area < 900 && value(number[3..<5]) != 0
        && value(number[5...]) != 0
    },
    // United Kingdom, national insurance
    .init("AA999999A", isNationalInsurance), .init("AA 99 99 99 A", isNationalInsurance),
    // Spain, DNI and NIE
    .init("99999999A", isDNI), .init("99999999-A", isDNI), .init("A9999999A", isDNI),
    .init("A-9999999-A", isDNI),
    // Italy, codice fiscale
    .init("AAAAAA99A99A999A", isCodiceFiscale),
    // France, numéro de sécurité sociale
    .init("999999999999999", isNIR), .init("9 99 99 99 999 999 99", isNIR),
    // Belgium, rijksregisternummer
    .init("99.99.99-999.99") { number in
      let check = 97 - value(number[9...])
      return isDate(month: number[2..<4], day: number[4..<6])
        && (value(number[..<9]) % 97 == check
          || (2_000_000_000 + value(number[..<9])) % 97 == check)
    },
    // Switzerland, AHV
    .init("756.9999.9999.99", isEAN), .init("7569999999999", isEAN),
    // Sweden, personnummer
    .init("999999-9999", isPersonnummer),
    .init("99999999-9999") { number in
      // A date and a time of this century look the same.
      let isTime = value(number[8..<10]) < 24 && value(number[10...]) < 60
      return !(isTime && number[0] == UInt8(ascii: "2"))
        && isPersonnummer(Array(number.dropFirst(2)))
    },
    // Finland, henkilötunnus
    .init("999999-999*", isHenkilotunnus),
    .init("999999A999*") { number in
      number[6] == UInt8(ascii: "A")
        && isHenkilotunnus(number.enumerated().filter { $0.0 != 6 }.map(\.1))
    },
    // Brazil, CPF
    .init("999.999.999-99") { number in
      let digits = number.map { Int($0 - 0x30) }
      func check(_ count: Int) -> Int {
        let sum = (0..<count).reduce(0) { $0 + digits[$1] * (count + 1 - $1) }
        return sum * 10 % 11 % 10
      }
      return Set(digits).count > 1 && check(9) == digits[9] && check(10) == digits[10]
    },
    // China, resident identity
    .init("99999999999999999*") { number in
      let sum = (0..<17).reduce(0) { $0 + Int(number[$1] - 0x30) * ((1 << (17 - $1)) % 11) }
      return (1900..<2100).contains(value(number[6..<10]))
        && isDate(month: number[10..<12], day: number[12..<14])
        && number[17] == Array("10X98765432".utf8)[sum % 11]
    },
    // India, Aadhaar
    .init("9999 9999 9999") { $0[0] > UInt8(ascii: "1") && isVerhoeff($0) },
  ]

  /// Finds numbers by which states identify persons.
  static func identityNumbers(_ text: [UInt8], _ found: Found) {
    var index = 0
    while index < text.count {
      guard text[index].isDigit || text[index].isCapital,
        index == 0 || !text[index - 1].isAlphanumeric && !"-.".utf8.contains(text[index - 1])
      else {
        index += 1
        continue
      }
      let number = identityNumbers.lazy.compactMap { identity($0, text, index) }.first
      if let number { found(index..<number) }
      index = number ?? end(of: text, from: index, while: { $0.isAlphanumeric })
    }
  }

  private static func identity(
    _ kind: IdentityNumber, _ text: [UInt8], _ start: Int
  ) -> Int? {
    let end = start + kind.template.count
    guard end <= text.count, kind.fits(text, start) else { return nil }
    guard end <= text.count, end == text.count || !text[end].isAlphanumeric,
      end + 1 >= text.count || !"-.".utf8.contains(text[end]) || !text[end + 1].isAlphanumeric
    else { return nil }
    // More digits make it a list of numbers.
    if kind.template.contains(UInt8(ascii: " ")),
      start > 1 && text[start - 1] == UInt8(ascii: " ") && text[start - 2].isDigit
        || end + 1 < text.count && text[end] == UInt8(ascii: " ") && text[end + 1].isDigit
    {
      return nil
    }
    return kind.isValid(text[start..<end].filter({ $0.isAlphanumeric })) ? end : nil
  }

  // MARK: Check digits

  private static func value(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  private static func isDate(month: ArraySlice<UInt8>, day: ArraySlice<UInt8>) -> Bool {
    (1...12).contains(value(month)) && (1...31).contains(value(day))
  }

  @Sendable private static func isNationalInsurance(_ number: [UInt8]) -> Bool {
    !"DFIQUV".utf8.contains(number[0]) && !"DFIQUVO".utf8.contains(number[1])
      && "ABCD".utf8.contains(number[8])
  }

  @Sendable private static func isDNI(_ number: [UInt8]) -> Bool {
    var digits = number.dropLast()
    if let first = digits.first, !first.isDigit {
      guard let place = Array("XYZ".utf8).firstIndex(of: first) else { return false }
      digits = [0x30 + UInt8(place)] + digits.dropFirst()
    }
    return Array("TRWAGMYFPDXBNJZSQVHLCKE".utf8)[value(digits) % 23] == number.last
  }

  @Sendable private static func isCodiceFiscale(_ number: [UInt8]) -> Bool {
    let odd = [
      1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ]
    var sum = 0
    for (place, byte) in number.dropLast().enumerated() {
      let letter = Int(byte.isDigit ? byte - 0x30 : byte - 0x41)
      sum += place % 2 == 0 ? odd[letter] : letter
    }
    return number.last == UInt8(0x41 + sum % 26)
  }

  @Sendable private static func isNIR(_ number: [UInt8]) -> Bool {
    (1...2).contains(number[0] - 0x30) && (1...12).contains(value(number[3..<5]))
      && 97 - value(number[..<13]) % 97 == value(number[13...])
  }

  @Sendable private static func isEAN(_ number: [UInt8]) -> Bool {
    number.enumerated().reduce(0) { $0 + Int($1.1 - 0x30) * ($1.0 % 2 == 0 ? 1 : 3) } % 10 == 0
  }

  @Sendable private static func isPersonnummer(_ number: [UInt8]) -> Bool {
    isDate(month: number[2..<4], day: number[4..<6]) && passesLuhn(number.map { $0 - 0x30 })
  }

  @Sendable private static func isHenkilotunnus(_ number: [UInt8]) -> Bool {
    isDate(month: number[2..<4], day: number[..<2])
      && Array("0123456789ABCDEFHJKLMNPRSTUVWXY".utf8)[value(number[..<9]) % 31] == number[9]
  }

  private static func isVerhoeff(_ number: [UInt8]) -> Bool {
    let products: [[Int]] = (0..<10).map { row in
      (0..<10).map { column in
        row < 5
          ? (column < 5 ? (row + column) % 5 : (row + column) % 5 + 5)
          : (column < 5 ? (row - column + 5) % 5 + 5 : (row - column + 5) % 5)
      }
    }
    let permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    var check = 0
    for (place, byte) in number.reversed().enumerated() {
      var digit = Int(byte - 0x30)
      for _ in 0..<place % 8 { digit = permutation[digit] }
      check = products[check][digit]
    }
    return check == 0
  }
}
