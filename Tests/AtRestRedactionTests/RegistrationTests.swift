import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// Registrations are counted for each secret separately.
@Suite struct RegistrationTests {
  private static let beginning =
    "issuer-of-tokens.v2." + String(repeating: "0123456789abcdef", count: 5)

  private static func isShown(_ secret: String, _ registry: SecretRegistry) -> Bool {
    Redactor(secrets: registry, patterns: []).redact("<\(secret)>") == "<\(secret)>"
  }

  @Test func itIsForgottenWithItsLastRegistration() throws {
    let registry = SecretRegistry()
    let secret = "grün & /löyly?+=\"42"
    try registry.register(secret)
    try registry.register(secret)
    #expect(registry.count == 1)
    registry.unregister(secret)
    #expect(registry.count == 1)
    #expect(!Self.isShown(secret, registry))
    registry.unregister(secret)
    #expect(registry.count == 0)
    #expect(Self.isShown(secret, registry))
    // A secret that is not registered cannot be unregistered.
    registry.unregister(secret)
    try registry.register(secret)
    #expect(!Self.isShown(secret, registry))
  }

  @Test func forgettingOneKeepsAnotherThatBeginsAlike() throws {
    let registry = SecretRegistry()
    let (old, new) = (
      Self.beginning + "old-token-old-token", Self.beginning + "new-token-new-token"
    )
    let redactor = Redactor(secrets: registry, patterns: [])
    try registry.register(old)
    try registry.register(new)
    #expect(registry.count == 2)
    registry.unregister(old)
    #expect(registry.count == 1)
    #expect(redactor.redact("<\(new)>") == "<[withheld]>")
    // Parts of the old secret that the new one shares are withheld, the others are not.
    #expect(redactor.redact("<\(old)>") == "<[withheld]old-token-old-token>")
    registry.unregister(new)
    #expect(Self.isShown(old, registry) && Self.isShown(new, registry))
  }

  @Test func anotherThatWasNeverRegisteredTakesNothingBack() throws {
    let registry = SecretRegistry()
    try registry.register(Self.beginning + "a")
    registry.unregister(Self.beginning + "b")
    registry.unregister(Self.beginning)
    #expect(registry.count == 1)
    #expect(!Self.isShown(Self.beginning + "a", registry))
  }

  @Test func manyComeAndGo() throws {
    let registry = SecretRegistry()
    let secrets = (0..<200).map { "token \($0 % 10) of many, number \($0), \($0 &* 7919)" }
    for secret in secrets { try registry.register(secret) }
    for (index, secret) in secrets.enumerated() where index % 2 == 0 { registry.unregister(secret) }
    #expect(registry.count == 100)
    for (index, secret) in secrets.enumerated() where index % 2 == 1 {
      #expect(!Self.isShown(secret, registry))
      registry.unregister(secret)
    }
    for secret in secrets { #expect(Self.isShown(secret, registry)) }
  }
}
