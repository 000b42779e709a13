import AtRestRedaction
@_spi(Testing) import AtRestSecrets
import Testing

/// The redactor withholds every form of the table.
@Suite struct SecretFormTests {
  private static let patterns = RedactionPatterns.standard.subtracting([.namedValues, .longKeys])

  @Test(arguments: SecretForm.Group.allCases)
  func everyFormIsWithheld(_ group: SecretForm.Group) {
    for sample in SecretSample.all where sample.group == group {
      let text = "got \(sample.before)\(sample.text), then"
      let redacted = Redactor(patterns: Self.patterns).redact(text)
      // Control: what is documented as public stays.
      let shown = sample.isFound(.logs) ? "got \(sample.before)[withheld], then" : text
      #expect(redacted == shown, "\(sample.name)")
    }
  }
}
