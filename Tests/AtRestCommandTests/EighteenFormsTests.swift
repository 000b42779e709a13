import AtRestCommand
import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// One secret in 18 forms is masked by `atrest run` and withheld by the redactor.
@Suite struct EighteenFormsTests {
  private static let secret = "wren-under-the-roof-7"

  private static let forms: [(name: String, text: String)] = {
    let bytes = Array(secret.utf8)
    func each(_ format: String, by separator: String = "") -> String {
      bytes.map { String(format: format, $0) }.joined(separator: separator)
    }
    let base64 = Data(bytes).base64EncodedString()
    let base32 = {
      let bits = bytes.map { byte in
        String(repeating: "0", count: byte.leadingZeroBitCount) + String(byte, radix: 2)
      }.joined()
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
      return stride(from: 0, to: bits.count, by: 5).map { start in
        let part = bits.dropFirst(start).prefix(5)
        let padded = part + String(repeating: "0", count: 5 - part.count)
        return String(digits[Int(padded, radix: 2)!])
      }.joined()
    }()
    return [
      ("plain", secret), ("hex", each("%02x")), ("capital hex", each("%02X")),
      ("hex with colons", each("%02x", by: ":")), ("hex with spaces", each("%02x", by: " ")),
      ("hexadecimal list", each("0x%02x", by: ", ")), ("decimal list", each("%d", by: ", ")),
      ("base64", base64), ("Swift escapes", each("\\u{%x}")),
      ("base64 twice", Data(base64.utf8).base64EncodedString()), ("base32", base32),
      ("JSON escapes", each("\\u%04x")), ("C escapes", each("\\x%02x")),
      ("octal escapes", each("\\%03o")), ("entities", each("&#%d;")),
      ("hexadecimal entities", each("&#x%x;")), ("percent encoding", each("%%%02X")),
      ("quoted-printable", each("=%02X")),
    ]
  }()

  /// Masks a text as the output of a program.
  private static func masked(_ text: String) -> String {
    let secrets = [SecretBox(SecretBytes(utf8: secret))]
    var mask = OutputMask(secrets)
    var lines = LineMask(secrets)
    var output: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { bytes in
      mask.write(bytes) { lines.write($0) { output += $0 } }
    }
    mask.finish { lines.write($0) { output += $0 } }
    lines.finish { output += $0 }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func thereAreEighteen() { #expect(Set(Self.forms.map(\.text)).count == 18) }

  @Test(arguments: forms.indices) func aFormIsMaskedAndWithheld(_ index: Int) throws {
    let (name, form) = Self.forms[index]
    let registry = SecretRegistry()
    try registry.register(Self.secret)
    let text = "a <\(form)> b\n"
    for shown in [Self.masked(text), Redactor(secrets: registry, patterns: []).redact(text)] {
      #expect(shown.contains("[withheld]") && !shown.contains(form), "\(name): \(shown)")
      #expect(shown.hasPrefix("a <") && shown.hasSuffix("> b\n"), "\(name): \(shown)")
    }
    // Control: another text in the same form stays.
    #expect(Self.masked("a <wren-above-the-roof-8> b\n") == "a <wren-above-the-roof-8> b\n")
  }
}
