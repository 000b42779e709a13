/// The form of international bank account numbers (IBAN, ISO 13616).
public enum AccountForm {
  /// The number of characters, by country. The source is the IBAN registry of SWIFT,
  /// <https://www.swift.com/standards/data-standards/iban-international-bank-account-number>.
  public static let lengths: [String: Int] = [
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30,
    "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
    "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23,
    "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
  ]

  /// Returns the end of the number that begins at an index, in one piece or in groups of four. Its length and its
  /// check digits must be right. Nil if there is none.
  ///
  /// - Parameter loosely: True for text that may have small letters, or hyphens between the groups.
  public static func end(
    in text: UnsafeBufferPointer<UInt8>, at start: Int, loosely: Bool
  ) -> Int? {
    guard start + 15 <= text.count, text[start].isLetter, text[start + 1].isLetter,
      text[start + 2].isDigit, text[start + 3].isDigit,
      let count = lengths[
        String(decoding: text[start..<start + 2].map { loosely ? $0 & 0xDF : $0 }, as: UTF8.self)]
    else { return nil }
    var characters: [UInt8] = []
    var index = start
    while index < text.count, characters.count < count {
      let byte = text[index]
      index += 1
      if characters.count % 4 == 0, byte == 0x20 || loosely && byte == 0x2D { continue }
      guard byte.isDigit || (loosely ? byte.isLetter : byte.isCapital) else { return nil }
      characters.append(byte.isDigit ? byte : byte & 0xDF)
    }
    guard characters.count == count, index == text.count || !text[index].isAlphanumeric else {
      return nil
    }
    let remainder = (characters[4...] + characters[..<4]).reduce(0) { remainder, byte in
      byte.isDigit
        ? (remainder * 10 + Int(byte) - 0x30) % 97 : (remainder * 100 + Int(byte) - 0x37) % 97
    }
    return remainder == 1 ? index : nil
  }
}
