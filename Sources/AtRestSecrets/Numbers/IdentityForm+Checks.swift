/// The check digits of identity numbers. A check gets the letters and digits without separators.
extension IdentityForm {
  @Sendable static func isSocialSecurity(_ number: [UInt8]) -> Bool {
    let area = value(number[..<3])
    return area != 0 && area != 666 && area < 900 && value(number[3..<5]) != 0
      && value(number[5...]) != 0
  }

  @Sendable static func isRijksregister(_ number: [UInt8]) -> Bool {
    let check = 97 - value(number[9...])
    return isDate(month: number[2..<4], day: number[4..<6])
      && (value(number[..<9]) % 97 == check || (2_000_000_000 + value(number[..<9])) % 97 == check)
  }

  @Sendable static func isLongPersonnummer(_ number: [UInt8]) -> Bool {
    // A date and a time of this century look the same.
    let isTime = value(number[8..<10]) < 24 && value(number[10...]) < 60
    return !(isTime && number[0] == UInt8(ascii: "2")) && isPersonnummer(Array(number.dropFirst(2)))
  }

  @Sendable static func isHenkilotunnusWithLetter(_ number: [UInt8]) -> Bool {
    isHenkilotunnus(number.enumerated().filter { $0.0 != 6 }.map(\.1))
  }

  @Sendable static func isCPF(_ number: [UInt8]) -> Bool {
    let digits = number.map { Int($0 - 0x30) }
    func check(_ count: Int) -> Int {
      let sum = (0..<count).reduce(0) { $0 + digits[$1] * (count + 1 - $1) }
      return sum * 10 % 11 % 10
    }
    return Set(digits).count > 1 && check(9) == digits[9] && check(10) == digits[10]
  }

  @Sendable static func isResident(_ number: [UInt8]) -> Bool {
    let sum = (0..<17).reduce(0) { $0 + Int(number[$1] - 0x30) * ((1 << (17 - $1)) % 11) }
    return (1900..<2100).contains(value(number[6..<10]))
      && isDate(month: number[10..<12], day: number[12..<14])
      && number[17] == Array("10X98765432".utf8)[sum % 11]
  }

  @Sendable static func isAadhaar(_ number: [UInt8]) -> Bool {
    number[0] > UInt8(ascii: "1") && isVerhoeff(number)
  }

  static func value(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  static func isDate(month: ArraySlice<UInt8>, day: ArraySlice<UInt8>) -> Bool {
    (1...12).contains(value(month)) && (1...31).contains(value(day))
  }

  @Sendable static func isNationalInsurance(_ number: [UInt8]) -> Bool {
    !"DFIQUV".utf8.contains(number[0]) && !"DFIQUVO".utf8.contains(number[1])
      && "ABCD".utf8.contains(number[8])
  }

  @Sendable static func isDNI(_ number: [UInt8]) -> Bool {
    var digits = number.dropLast()
    if let first = digits.first, !first.isDigit {
      guard let place = Array("XYZ".utf8).firstIndex(of: first) else { return false }
      digits = [0x30 + UInt8(place)] + digits.dropFirst()
    }
    return Array("TRWAGMYFPDXBNJZSQVHLCKE".utf8)[value(digits) % 23] == number.last
  }

  @Sendable static func isCodiceFiscale(_ number: [UInt8]) -> Bool {
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

  @Sendable static func isNIR(_ number: [UInt8]) -> Bool {
    (1...2).contains(number[0] - 0x30) && (1...12).contains(value(number[3..<5]))
      && 97 - value(number[..<13]) % 97 == value(number[13...])
  }

  @Sendable static func isEAN(_ number: [UInt8]) -> Bool {
    number.enumerated().reduce(0) { $0 + Int($1.1 - 0x30) * ($1.0 % 2 == 0 ? 1 : 3) } % 10 == 0
  }

  @Sendable static func isPersonnummer(_ number: [UInt8]) -> Bool {
    isDate(month: number[2..<4], day: number[4..<6])
      && CardForm.passesLuhn(number.map { $0 - 0x30 })
  }

  @Sendable static func isHenkilotunnus(_ number: [UInt8]) -> Bool {
    isDate(month: number[2..<4], day: number[..<2])
      && Array("0123456789ABCDEFHJKLMNPRSTUVWXY".utf8)[value(number[..<9]) % 31] == number[9]
  }

  static func isVerhoeff(_ number: [UInt8]) -> Bool {
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
