import AtRestCommand
import AtRestCrypto
import AtRestRedaction
@_spi(Testing) import AtRestSecrets
import Testing

/// One secret in 21 encodings is masked by `atrest run` and withheld by the redactor.
@Suite struct SecretEncodingTests {
  private static let secret = "wren-under-the-roof-7"

  private static let forms = SecretSample.encodings(of: secret)

  /// Masks a text as the output of a program.
  private static func masked(_ text: String) -> String {
    var mask = OutputMask([SecretBox(SecretBytes(utf8: secret))])
    var output: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { mask.write($0) { output += $0 } }
    mask.finish { output += $0 }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func noneIsTwice() { #expect(Set(Self.forms.map(\.text)).count == 21) }

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
