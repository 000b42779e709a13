@_spi(Tools) import AtRestSecrets
import Foundation

extension CanaryVariant {
  /// The minimum number of bytes in a canary that is searched for in encodings in which a shorter
  /// one would match by chance.
  static let longEnough = 6

  /// All variants of a canary to search for.
  static func all(of canary: Canary, index: Int) -> [CanaryVariant] {
    var made = Set<[UInt8]>()
    var variants: [CanaryVariant] = []
    func add(_ more: [CanaryVariant]) {
      for variant in more where made.insert(variant.bytes).inserted { variants.append(variant) }
    }
    for (text, encodings) in forms(of: canary.value) {
      let form = Form(canary: index, text: text, encodings: encodings)
      add(form.plain())
      add(form.charsets())
      // Grouped variants are kept even if they have the bytes of the plain variant, because they
      // allow separators between the bytes.
      variants += form.grouped()
      add(form.escaped())
      add(form.hexadecimal())
      add(form.binary())
      add(form.base64())
      add(form.base32())
      add(form.digests())
    }
    return variants
  }

  /// The canary as it is, and its composed and decomposed forms if they differ.
  private static func forms(of value: String) -> [(String, [String])] {
    let others = [
      (value.precomposedStringWithCanonicalMapping, ["nfc"]),
      (value.decomposedStringWithCanonicalMapping, ["nfd"]),
    ]
    return [(value, [])] + others.filter { Array($0.0.utf8) != Array(value.utf8) }
  }

  /// A canary in one normal form, from which its variants are made.
  struct Form {
    let canary: Int
    let text: String
    let encodings: [String]
    let utf8: [UInt8]
    /// UTF-16 in both byte orders. ASCII text is stored without the zero at its start or end, which
    /// makes the two orders equal.
    let utf16: [[UInt8]]

    init(canary: Int, text: String, encodings: [String]) {
      self.canary = canary
      self.text = text
      self.encodings = encodings
      utf8 = Array(text.utf8)
      let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      utf16 = [
        little.last == 0 ? Array(little.dropLast()) : little,
        big.first == 0 ? Array(big.dropFirst()) : big,
      ]
    }

    var isLong: Bool { utf8.count >= CanaryVariant.longEnough }

    func variant(_ bytes: [UInt8], _ more: [String]) -> CanaryVariant {
      CanaryVariant(canary: canary, bytes: bytes, encodings: more + encodings)
    }
  }
}

extension CanaryVariant.Form {
  /// The canary as it is, in UTF-16, and reversed.
  func plain() -> [CanaryVariant] {
    let isNumber = utf8.allSatisfy(ASCII.isDigit)
    var variants: [CanaryVariant] = []
    var plain = variant(utf8, [])
    plain.comparison = .changedCase
    plain.bounds = isLong ? isNumber && utf8.count < 12 ? .digits : .none : .alphanumerics
    variants.append(plain)
    for bytes in utf16 {
      var wide = variant(bytes, ["utf-16"])
      wide.comparison = .changedCase
      wide.bounds = isLong ? isNumber && utf8.count < 12 ? .wideDigits : .none : .wideAlphanumerics
      variants.append(wide)
    }
    if isLong {
      var reversed = variant(Array(String(text.reversed()).utf8), ["reversed"])
      reversed.comparison = .changedCase
      reversed.bounds = isNumber && utf8.count < 12 ? .digits : .none
      variants.append(reversed)
    }
    return variants
  }

  func hexadecimal() -> [CanaryVariant] {
    let inputs = [(utf8, [])] + (isLong ? utf16.map { ($0, ["utf-16"]) } : [])
    return inputs.flatMap { bytes, inner -> [CanaryVariant] in
      var hex = variant(ByteRun.hex.digits(of: bytes), ["hex"] + inner)
      hex.comparison = .anyCase
      hex.gaps = .pairs
      hex.bounds = isLong ? .none : .hex
      var wide = variant(Self.wide(hex.bytes), ["utf-16", "hex"] + inner)
      wide.comparison = .anyCase
      return isLong ? [hex, wide] : [hex]
    }
  }

  func base64() -> [CanaryVariant] {
    guard isLong else {
      var whole = variant(ByteRun.base64.whole(utf8), ["base64"])
      whole.bounds = .base64
      return [whole]
    }
    var variants: [CanaryVariant] = []
    let hex = ByteRun.hex.digits(of: utf8)
    let upper = hex.map { ASCII.isLetter($0) ? $0 & 0xDF : $0 }
    let inputs =
      [(utf8, [])] + utf16.map { ($0, ["utf-16"]) } + [hex, upper].map { ($0, ["hex"]) }
      + (0..<3).map { (ByteRun.base64.digits(of: utf8, after: $0), ["base64"]) }
    for (bytes, inner) in inputs {
      for alignment in 0..<3 {
        let core = ByteRun.base64.digits(of: bytes, after: alignment)
        guard core.count >= 7 else { continue }
        let encodings = ["base64"] + inner
        variants += Self.spellings(of: core).map { spelling, outer in
          var base64 = variant(spelling, outer + encodings)
          base64.gaps = .lineBreaks
          return base64
        }
        guard inner.isEmpty else { continue }
        variants.append(variant(core.reversed(), ["reversed"] + encodings))
        variants.append(variant(Self.wide(core), ["utf-16"] + encodings))
        var inHex = variant(ByteRun.hex.digits(of: core), ["hex"] + encodings)
        inHex.comparison = .anyCase
        inHex.gaps = .pairs
        variants.append(inHex)
      }
    }
    return variants
  }

  func base32() -> [CanaryVariant] {
    guard isLong else { return [] }
    return (0..<5).compactMap { alignment in
      let core = ByteRun.base32.digits(of: utf8, after: alignment)
      guard core.count >= 8 else { return nil }
      var base32 = variant(core, ["base32"])
      base32.comparison = .anyCase
      return base32
    }
  }

  /// Spellings of Base64: standard, in the URL alphabet, and with its special characters escaped.
  private static func spellings(of core: [UInt8]) -> [([UInt8], [String])] {
    guard core.contains(where: { $0 == 0x2B || $0 == 0x2F }) else { return [(core, [])] }
    let forAddresses = core.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
    let escaped = core.flatMap { byte -> [UInt8] in
      byte == 0x2B ? Array("%2B".utf8) : byte == 0x2F ? Array("%2F".utf8) : [byte]
    }
    return [(core, []), (forAddresses, []), (escaped, ["percent"])]
  }

  /// ASCII text in UTF-16 of either byte order, without the zero at one end.
  static func wide(_ text: [UInt8]) -> [UInt8] { Array(text.flatMap { [$0, 0] }.dropLast()) }
}
