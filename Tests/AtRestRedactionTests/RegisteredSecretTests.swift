import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// Registered secrets are withheld in every encoding.
@Suite struct RegisteredSecretTests {
  /// A secret that no pattern matches.
  private static let secret = "grün & /löyly?+=\"42"

  private static func redactor(_ secrets: String...) throws -> Redactor {
    let registry = SecretRegistry()
    for secret in secrets { try registry.register(secret) }
    return Redactor(secrets: registry, patterns: [])
  }

  private static func base64(_ data: Data, url: Bool) -> String {
    let text = data.base64EncodedString()
    guard url else { return text }
    return text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  private static func hex(_ data: Data, _ format: String = "%02x", _ separator: String = "")
    -> String
  {
    data.map { String(format: format, $0) }.joined(separator: separator)
  }

  /// Text that contains the secret, by the name of its encoding.
  private static var encodings: [(name: String, text: String)] {
    let data = Data(secret.utf8)
    var all = [
      ("plain", secret), ("quoted", "\"\(secret)\""), ("debug", String(reflecting: secret)),
    ]
    for before in 0...5 {
      for after in 0...2 {
        let padded =
          Data(repeating: 0x41, count: before) + data + Data(repeating: 0x42, count: after)
        for url in [false, true] {
          all.append(("base64 \(before) \(after) \(url)", base64(padded, url: url)))
        }
        // Text before the run shifts the alignment once more.
        all.append(("merged \(before)", "id/x" + base64(padded, url: false)))
      }
    }
    let lines = base64(Data(repeating: 7, count: 50) + data, url: false)
    all.append(("lines", String(lines.prefix(76)) + "\r\n" + lines.dropFirst(76)))
    all += [
      ("hex", hex(data)), ("capital hex", hex(data, "%02X")), ("odd hex", "0" + hex(data)),
      ("separated hex", hex(data, "%02X", ":")), ("spaced hex", hex(data, "%02x", " ")),
      ("percent", secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed)!),
      ("percent of all", hex(data, "%%%02X")), ("small percent", hex(data, "%%%02x")),
      (
        "form",
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
          .replacingOccurrences(of: "%20", with: "+")
      ),
      (
        "percent of base64",
        base64(data, url: false).addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
      ),
      ("JSON", String(decoding: try! JSONEncoder().encode([secret]), as: UTF8.self)),
      ("escapes", secret.utf16.map { String(format: "\\u%04x", $0) }.joined()),
      ("hex of JSON", "{\"a\":\"\(hex(data))\"}"),
      (
        "HTML",
        secret.replacingOccurrences(of: "&", with: "&amp;")
          .replacingOccurrences(of: "\"", with: "&quot;")
      ),
      ("HTML numbers", secret.unicodeScalars.map { "&#\($0.value);" }.joined()),
      (
        "HTML hex numbers",
        secret.unicodeScalars.map { "&#x" + String($0.value, radix: 16) + ";" }.joined()
      ),
      ("base64 in HTML", base64(data, url: false).replacingOccurrences(of: "+", with: "&plus;")),
    ]
    return all
  }

  /// Returns true if the text reveals four letters of the secret or of its encoding.
  private static func leaks(_ text: String, of encoded: String) -> Bool {
    // The longest part that may remain is shorter than the encoding of five bytes of the secret.
    let characters = Array(encoded)
    return (0..<max(1, characters.count - 12)).contains { start in
      text.contains(String(characters[start..<min(characters.count, start + 13)]))
        && !String(characters[start..<min(characters.count, start + 13)]).contains("AAAA")
    }
  }

  @Test func everyEncodingIsWithheld() throws {
    let redactor = try Self.redactor(Self.secret)
    for (name, encoded) in Self.encodings {
      let text = redactor.redact("before \(encoded) after")
      #expect(text.contains("[withheld]"), "\(name)")
      #expect(text.hasPrefix("before ") && text.hasSuffix(" after"), "\(name): \(text)")
      #expect(!text.contains("löyly"), "\(name)")
      #expect(name == "lines" || !Self.leaks(text, of: encoded), "\(name): \(text)")
    }
  }

  @Test func whatIsNotRegisteredStays() throws {
    let redactor = try Self.redactor("another secret")
    for (name, encoded) in Self.encodings {
      let text = "before \(encoded) after"
      #expect(redactor.redact(text) == text, "\(name)")
    }
  }

  @Test func severalSecretsAndPlaces() throws {
    let redactor = try Self.redactor("first-secret", "second-secret", "first-secret-longer")
    #expect(
      redactor.redact("first-secret, second-secret first-secret")
        == "[withheld], [withheld] [withheld]")
    #expect(redactor.redact("a first-secret-longer b") == "a [withheld] b")
    #expect(redactor.redact("first-secre, cond-secret") == "first-secre, cond-secret")
  }

  @Test func bytesThatAreNoText() throws {
    let key = Data((0..<32).map { $0 &* 37 | 0x80 })
    let registry = SecretRegistry()
    try registry.register(SecretBytes(key))
    let redactor = Redactor(secrets: registry, patterns: [])
    for text in [Self.base64(key, url: true), Self.hex(key)] {
      #expect(redactor.redact("key \(text)!") == "key [withheld]!")
    }
  }

  @Test func aLongSecretIsFoundByItsBeginning() throws {
    let secret = (0..<500).map { "\($0)" }.joined(separator: ".")
    let redactor = try Self.redactor(secret)
    #expect(redactor.redact("<\(secret)>") == "<[withheld]>")
    #expect(redactor.redact("<\(secret.prefix(200))") == "<[withheld]")
  }

  @Test func theCutHidesWhatBeginsBeforeIt() throws {
    let registry = SecretRegistry()
    try registry.register(Self.secret)
    for count in 1...60 {
      let redactor = Redactor(secrets: registry, patterns: [], maximumCount: count)
      let text = redactor.redact("before \(Self.secret) after, at length and at some more length")
      #expect(!text.contains("gr") && text.contains("were cut off"), "\(count): \(text)")
    }
  }

  @Test func theRegistryDoesNotShowIt() throws {
    let registry = SecretRegistry()
    try registry.register("a-readable-secret")
    var text = ""
    dump(registry, to: &text)
    #expect(!text.contains("readable"))
  }

  @Test(arguments: ["", "1234567"]) func aShortOneIsRefused(secret: String) {
    #expect {
      try SecretRegistry().register(secret)
    } throws: {
      ($0 as? AtRestError)?.code == .invalidArgument
        && (secret.isEmpty || !"\($0)".contains(secret))
    }
  }
}
