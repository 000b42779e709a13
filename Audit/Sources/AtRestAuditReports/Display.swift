import Foundation

/// Makes untrusted text safe to show. No escape sequence reaches a terminal, and no character
/// changes the direction of a line.
package enum Display {
  static func safe(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: "  "
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      "\u{FFFD}"
    default: String(scalar)
    }
  }

  /// Returns the text as one line.
  static func safe(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return text.unicodeScalars.map { $0 == "\n" ? " " : safe($0) }.joined()
  }

  /// Returns at most `limit` characters, with an ellipsis in place of the rest.
  package static func cut(_ text: String, _ limit: Int) -> String {
    // A text never has fewer UTF-8 bytes than characters, and the bytes are faster to count.
    guard text.utf8.count > limit else { return text }
    let characters = text.unicodeScalars
    guard characters.count > limit else { return text }
    return String(String.UnicodeScalarView(characters.prefix(limit - 1))) + "…"
  }

  /// `1 finding`, `2 findings`. Thousands are grouped.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `2026-11-30T12:04:11Z`, or nil for a time outside of the calendar, which is damaged.
  static func time(_ date: Date) -> String? {
    abs(date.timeIntervalSince1970) < 1e11 ? date.formatted(.iso8601) : nil
  }

  /// `512 bytes`, `3.4 MB`. Each unit is a thousand of the smaller one.
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return count(bytes, "byte") }
    var tenths = bytes / 100
    for unit in ["kB", "MB"] {
      if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      tenths /= 1000
    }
    return "\(grouped(tenths / 10)).\(tenths % 10) GB"
  }

  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
