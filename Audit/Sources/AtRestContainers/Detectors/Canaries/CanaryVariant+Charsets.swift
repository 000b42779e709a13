import Foundation

extension CanaryVariant.Form {
  /// The canary in UTF-32, and in the older encodings of one byte per character that differ from
  /// UTF-8.
  func charsets() -> [CanaryVariant] {
    var variants: [CanaryVariant] = []
    // Without the zeros at its start or end, ASCII text is the same in both byte orders.
    let scalars = text.unicodeScalars.map(\.value)
    let little = scalars.flatMap { value in (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let big = scalars.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    for bytes in [Array(little.trimmed(suffix: 0)), Array(big.drop { $0 == 0 })] {
      var wide = variant(bytes, ["utf-32"])
      wide.comparison = .changedCase
      variants.append(wide)
    }
    guard utf8.contains(where: { $0 >= 0x80 }) else { return variants }
    let charsets: [(String, String.Encoding)] = [
      ("latin-1", .isoLatin1), ("windows-1252", .windowsCP1252), ("mac-roman", .macOSRoman),
    ]
    for (name, charset) in charsets {
      guard let data = text.data(using: charset) else { continue }
      var narrow = variant(Array(data), [name])
      narrow.comparison = .changedCase
      narrow.bounds = isLong ? .none : .alphanumerics
      variants.append(narrow)
    }
    return variants
  }
}

extension [UInt8] {
  fileprivate func trimmed(suffix byte: UInt8) -> ArraySlice<UInt8> {
    self[..<((lastIndex { $0 != byte } ?? -1) + 1)]
  }
}
