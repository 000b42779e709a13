import AtRestRedaction
import Foundation
import Testing

/// A secret is withheld in another case if that was asked for.
@Suite struct IgnoredCaseTests {
  private static let secret = "Grüne-Äpfel-42-XyZ"

  private static func redact(_ text: String, ignoringCase: Bool) throws -> String {
    let registry = SecretRegistry()
    try registry.register(secret, ignoringCase: ignoringCase)
    return Redactor(secrets: registry, patterns: []).redact("<\(text)>")
  }

  @Test(arguments: [
    secret, secret.lowercased(), secret.uppercased(), "gRÜNE-ÄPFEL-42-xYz",
    Data(secret.uppercased().utf8).base64EncodedString(),
  ])
  func itIsWithheld(_ text: String) throws {
    #expect(try Self.redact(text, ignoringCase: true).hasPrefix("<[withheld]"))
  }

  /// Control: without the option, only the case that was registered is withheld.
  @Test(arguments: [secret.lowercased(), secret.uppercased()])
  func otherwiseItStays(_ text: String) throws {
    #expect(try Self.redact(text, ignoringCase: false) == "<\(text)>")
    #expect(try Self.redact(Self.secret, ignoringCase: false) == "<[withheld]>")
  }

  @Test func itIsForgottenWithTheSameOption() throws {
    let registry = SecretRegistry()
    try registry.register(Self.secret, ignoringCase: true)
    registry.unregister(Self.secret)
    #expect(registry.count == 1)
    registry.unregister(Self.secret, ignoringCase: true)
    let text = Self.secret.lowercased()
    #expect(Redactor(secrets: registry, patterns: []).redact(text) == text)
  }
}
