import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// A part of a secret of at least 16 bytes is withheld wherever the secret was cut.
@Suite struct CutSecretTests {
  private static let secret = "Zt9+kQ2w_Lr5/Xc8-Vn4.Bm1~Hj7=Gd3&Fs6"

  private static func redactor(_ secrets: String...) throws -> Redactor {
    let registry = SecretRegistry()
    for secret in secrets { try registry.register(secret) }
    return Redactor(secrets: registry, patterns: [])
  }

  @Test func everyPart() throws {
    let redactor = try Self.redactor(Self.secret)
    let characters = Array(Self.secret)
    for start in 0...characters.count - SecretRegistry.minimumPartCount {
      for end in (start + SecretRegistry.minimumPartCount)...characters.count {
        let part = String(characters[start..<end])
        #expect(redactor.redact("a \(part) b") == "a [withheld] b", "\(start)..<\(end)")
      }
    }
  }

  @Test func encodedParts() throws {
    let redactor = try Self.redactor(Self.secret)
    let part = String(Self.secret.dropFirst(9).prefix(20))
    let data = Data(part.utf8)
    for text in [
      data.base64EncodedString(), data.map { String(format: "%02x", $0) }.joined(),
      data.map { String(format: "%%%02X", $0) }.joined(),
      part.utf16.map { String(format: "\\u%04x", $0) }.joined(),
      part.unicodeScalars.map { "&#\($0.value);" }.joined(),
    ] {
      let redacted = redactor.redact("a \(text) b")
      #expect(redacted.hasPrefix("a [withheld]") && redacted.hasSuffix(" b"), "\(redacted)")
    }
  }

  @Test func aPartOfALongSecret() throws {
    var random = SystemRandomNumberGenerator()
    let secret = String(
      (0..<10_000).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random)! })
    let redactor = try Self.redactor(secret)
    #expect(redactor.redact("<\(secret)>") == "<[withheld]>")
    #expect(redactor.redact("<\(secret.dropFirst(3000).prefix(40))>") == "<[withheld]>")
    #expect(redactor.redact("<\(secret.dropFirst(70))>") == "<[withheld]>")
  }

  /// Control: shorter parts, and text that only resembles a part, stay.
  @Test func otherTextStays() throws {
    let redactor = try Self.redactor(
      Self.secret, "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----",
      "user:                                secret-of-eva")
    for text in [
      String(Self.secret.prefix(15)), String(Self.secret.suffix(15)),
      String(Self.secret.dropFirst(4).prefix(15)), String(Self.secret.reversed()),
      "-----BEGIN CERTIFICATE-----", "----------------------------------------",
      "name                                value",
    ] { #expect(redactor.redact("a \(text) b") == "a \(text) b") }
  }
}
