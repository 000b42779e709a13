extension IdentityForm {
  /// An identity number that was found in a text.
  public struct Match: Sendable {
    public let form: IdentityForm
    public let strength: Strength
    public let range: Range<Int>
  }

  /// The templates, by the number of digits with which they begin, or by the number of capital letters plus
  /// ``letters``.
  private static let byBeginning: [[(form: IdentityForm, template: Template)]] = {
    var table = [[(form: IdentityForm, template: Template)]](repeating: [], count: 2 * letters)
    for form in all {
      for template in form.templates {
        let isDigit = template.bytes[0] != UInt8(ascii: "A")
        let count = template.bytes.prefix { byte in
          isDigit ? byte.isDigit : byte == UInt8(ascii: "A")
        }.count
        table[count + (isDigit ? 0 : letters)].append((form, template))
        // The last character may be a digit too.
        if isDigit, count + 1 == template.bytes.count, template.bytes.last == UInt8(ascii: "*") {
          table[count + 1].append((form, template))
        }
      }
    }
    return table
  }()
  private static let letters = 20

  /// Returns the number that begins at an index, of any strength. Nil if there is none.
  public static func match(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Match? {
    guard start == 0 || !text[start - 1].isAlphanumeric && !isJoin(text[start - 1]) else {
      return nil
    }
    let isDigit = text[start].isDigit
    var end = start
    while end < text.count, end - start < letters,
      isDigit ? text[end].isDigit : text[end].isCapital
    { end += 1 }
    guard end > start, end - start < letters else { return nil }
    for (form, template) in byBeginning[end - start + (isDigit ? 0 : letters)] {
      let range = start..<start + template.bytes.count
      guard range.upperBound <= text.count, template.fits(text, start),
        isApart(range, in: text, template),
        form.isValid(text[range].filter(\.isAlphanumeric))
      else { continue }
      return Match(form: form, strength: template.strength, range: range)
    }
    return nil
  }

  /// Returns the end of the number that begins at an index in a log. Nil if there is none.
  public static func looseEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard let match = match(in: text, at: start) else { return nil }
    // Nine digits without separators are too common.
    return match.strength == .none && match.range.count == 9 ? nil : match.range.upperBound
  }

  private static func isJoin(_ byte: UInt8) -> Bool { byte == 0x2D || byte == 0x2E }

  /// Returns true if a range is not part of a longer number or of a list of numbers.
  private static func isApart(
    _ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>, _ template: Template
  ) -> Bool {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard end == text.count || !text[end].isAlphanumeric,
      end + 1 >= text.count || !isJoin(text[end]) || !text[end + 1].isAlphanumeric
    else { return false }
    let isAfterNumber = start > 1 && text[start - 1] == 0x20 && text[start - 2].isDigit
    let isBeforeNumber = end + 1 < text.count && text[end] == 0x20 && text[end + 1].isDigit
    return !template.bytes.contains(0x20) || !isAfterNumber && !isBeforeNumber
  }
}

extension IdentityForm.Template {
  /// Returns true if the bytes from an index on have the form.
  func fits(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    for (place, form) in bytes.enumerated() {
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
