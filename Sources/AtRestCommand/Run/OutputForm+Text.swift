import AtRestCrypto
import Foundation

/// The forms in which programs write text into JSON, HTML and source code.
extension OutputForm {
  /// How a writer of JSON escapes characters that it need not escape.
  private enum Style: CaseIterable {
    /// None of them.
    case plain
    /// All characters beyond ASCII (Python).
    case ascii
    /// The slash (Foundation, PHP).
    case slash
    /// The slash, and all characters beyond ASCII (PHP).
    case slashAndASCII
    /// Characters with a meaning in HTML (Go).
    case html
  }

  /// Calls a closure with the forms of a secret that depend on its characters.
  static func escapedTexts(
    of bytes: UnsafeRawBufferPointer, _ body: (borrowing SecretBytes) -> Void
  ) {
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    guard isASCII || String(validating: bytes, as: UTF8.self) != nil else {
      return body(escaped(bytes, inJSON))
    }
    for style in Style.allCases {
      for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
        body(scalars(of: bytes) { json($0, style, Array(digits.utf8)) })
      }
    }
    for quotes in [("&quot;", "&#39;"), ("&quot;", "&#x27;"), ("&#34;", "&#39;"), ("\"", "'")] {
      body(scalars(of: bytes) { html($0, quotes) })
    }
    body(scalars(of: bytes) { utf16($0, isBig: false) })
    body(scalars(of: bytes) { utf16($0, isBig: true) })
  }

  /// Returns the text with each character replaced by a closure.
  private static func scalars(
    of bytes: UnsafeRawBufferPointer, _ escape: (Unicode.Scalar) -> [UInt8]
  ) -> SecretBytes {
    func forEach(_ body: (Unicode.Scalar) -> Void) {
      var decoder = UTF8()
      var iterator = bytes.makeIterator()
      while case .scalarValue(let scalar) = decoder.decode(&iterator) { body(scalar) }
    }
    var count = 0
    forEach { count += escape($0).count }
    return SecretBytes(count: count) { result in
      var offset = 0
      forEach { scalar in
        for byte in escape(scalar) {
          result[offset] = byte
          offset += 1
        }
      }
    }
  }

  private static func json(
    _ scalar: Unicode.Scalar, _ style: Style, _ digits: [UInt8]
  ) -> [UInt8] {
    switch scalar {
    case "/" where style == .slash || style == .slashAndASCII: Array("\\/".utf8)
    case "<" where style == .html, ">" where style == .html, "&" where style == .html:
      unicode(scalar, digits)
    case _ where scalar.isASCII:
      scalar.value < 32 && ![9, 10, 13].contains(scalar.value)
        ? unicode(scalar, digits) : inJSON(UInt8(scalar.value))
    case _ where style == .ascii || style == .slashAndASCII: unicode(scalar, digits)
    default: Array(String(scalar).utf8)
    }
  }

  private static func unicode(_ scalar: Unicode.Scalar, _ digits: [UInt8]) -> [UInt8] {
    UTF16.encode(scalar)!.flatMap { unit in
      Array("\\u".utf8) + [12, 8, 4, 0].map { digits[Int(unit >> $0 & 15)] }
    }
  }

  private static func html(_ scalar: Unicode.Scalar, _ quotes: (String, String)) -> [UInt8] {
    switch scalar {
    case "&": Array("&amp;".utf8)
    case "<": Array("&lt;".utf8)
    case ">": Array("&gt;".utf8)
    case "\"": Array(quotes.0.utf8)
    case "'": Array(quotes.1.utf8)
    default: Array(String(scalar).utf8)
    }
  }

  private static func utf16(_ scalar: Unicode.Scalar, isBig: Bool) -> [UInt8] {
    UTF16.encode(scalar)!.flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBig ? bytes.reversed() : bytes
    }
  }

  /// Returns the form of a byte in the source code of Python, which is that of C for most bytes.
  static func inPython(_ byte: UInt8, _ digits: [UInt8]) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "\\"): [byte, byte]
    case 9, 10, 13: inJSON(byte)
    case 0x20..<0x7F: [byte]
    default: Array("\\x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
