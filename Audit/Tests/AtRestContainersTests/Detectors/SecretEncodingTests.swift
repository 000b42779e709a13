import AtRestContainers
@_spi(Testing) import AtRestSecrets
import Testing

/// A canary is found in the encodings in which the redactor withholds a secret.
@Suite struct SecretEncodingTests {
  private static let canary = "wren-under-the-roof-7"
  private static let forms = SecretSample.encodings(of: canary)
  private static let matcher = Result {
    CanaryMatcher([try Canary(name: "c", value: canary)])
  }

  @Test(arguments: forms.indices) func aFormIsFound(_ index: Int) throws {
    let (name, form) = Self.forms[index]
    func matches(_ text: String) throws -> [CanaryMatch] {
      try Self.matcher.get().matches(in: Array("a <\(text)> b\n".utf8), decoding: 3).matches
    }
    #expect(try !matches(form).isEmpty, "\(name): \(form)")
    // Control: another text in the same form is not found.
    let other = SecretSample.encodings(of: "wren-above-the-roof-8")[index].text
    #expect(try matches(other).isEmpty, "\(name): \(other)")
  }
}
