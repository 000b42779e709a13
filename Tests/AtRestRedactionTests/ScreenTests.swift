import AtRestRedaction
import Foundation
import Testing

/// The screen never rules out a text in which the search finds something.
@Suite struct ScreenTests {
  private static let surroundings = [
    ("", ""), ("x", ""), ("7", "z"), ("2026-11-23 10:00:01 ", " 3"), ("“", "”"), ("：", "。"),
    ("\u{A0}", "\u{A0}"), ("_", "_"), ("\n", "\n"), ("k=", "&l=1"), ("(", ")"),
    ("10:01 ", ", born"),
  ]

  @Test(arguments: EncodingTests.rows) func aSecret(_ row: EncodingTests.Row) throws {
    let registry = SecretRegistry()
    try registry.register(row.secret)
    let redactor = Redactor(secrets: registry, patterns: [])
    for (before, after) in Self.surroundings {
      let text = before + row.text + after
      #expect(redactor.redact(text) == redactor.redactWithoutScreen(text))
    }
  }

  private static let samples = [
    "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5b", "AKIAIOSFODNN7EXAMPLE",
    "Bearer abcdef0123456789", "myBasic dXNlcjpwYXNz", "4111 1111 1111 1111", "4111111111111111",
    "4222 2222 2222 2",
    "3782.822463.10005", "41 11 11 11 11 11 11 11", "378282246310005",
    "DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19", "078-05-1120", "811228-9874",
    "11010519491231002X", "AB 12 34 56 C", "AB123456C", "12345678Z", "12345678-Z",
    "RSSMRA85T10A562S", "131052-308T", "756.9217.0769.85", "529.982.247-25", "2341 2341 2346",
    "2 55 08 14 168 025 38", "255081416802538", "85.07.30-033.28",
    "Password            : hunter2", "password=hunter2", "mot de passe : hunter2",
    "setAuthorization Digest abcdef0123456789", "Authorization: Basic dXNlcjpwYXNz",
    "https://eva:s3cret@example.com/a", "<password>hunter2</password>", "密码：hunter2",
    "<key>password</key><string>hunter2</string>", "name=\"password\" value=\"hunter2\"",
    "k=q2N3pRkz8Jt+0bVQ7mXyL4sWd9FhG1uE5oTcAiZxB6k=",
    "9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
    "-----BEGIN PRIVATE KEY----- MIGH", "eva@example.com",
  ]

  @Test(arguments: samples) func aPattern(_ pattern: String) {
    let redactor = Redactor(patterns: .all)
    // Control: the search finds each of them in some surroundings.
    #expect(redactor.redact(" \(pattern) ") != " \(pattern) ")
    for (before, after) in Self.surroundings {
      let text = before + pattern + after
      #expect(redactor.redact(text) == redactor.redactWithoutScreen(text), "\(text)")
    }
  }

  @Test(arguments: [
    "“ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5b”", "卡号4111111111111111",
    "12:00:01 078-05-1120", "2026-11-23 811228-9874", "Password            : hunter2",
  ])
  func theyAreWithheld(_ text: String) {
    #expect(Redactor().redact(text).contains("[withheld]"))
  }

  /// Words of every length and kind are beside forms of a secret, so that runs begin and end at every place.
  @Test func aSecretBetweenWords() throws {
    let secret = "correct-horse-battery-staple"
    let registry = SecretRegistry()
    try registry.register(secret)
    let redactor = Redactor(secrets: registry)
    let bytes = Array(secret.utf8)
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let forms =
      ["", ":", " ", "-", " 0x"].map { hex.joined(separator: $0) } + [
        secret, Data(bytes).base64EncodedString(), bytes.map(String.init).joined(separator: ", "),
        hex.map { "=" + $0 }.joined(), hex.map { "%" + $0 }.joined(),
        bytes.map { "&#\($0);" }.joined(), hex.map { "\\u00" + $0 }.joined(),
      ]
    var random = SystemRandomNumberGenerator()
    let alphabets = [
      "0123456789", "abcdefABCDEF0123456789x", "ghijkGXZ@[`{/", "é9af", "abcxyz0189",
    ]
    let separators = [" ", "", "-", ":", "=", "+", ".", ", ", "/", "\n", " - ", "\\", "%", "&"]
    func words() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let alphabet = alphabets.randomElement(using: &random)!
        let word = (0..<Int.random(in: 1...19, using: &random)).map { _ in
          alphabet.randomElement(using: &random)!
        }
        return String(word) + separators.randomElement(using: &random)!
      }.joined()
    }
    var found = 0
    for _ in 0..<3000 {
      let form = Array(forms.randomElement(using: &random)!.utf8)
      let cut = Int.random(in: 0...form.count / 2, using: &random)
      let text = words() + String(decoding: form[cut...], as: UTF8.self) + words()
      let expected = redactor.redactWithoutScreen(text)
      #expect(redactor.redact(text) == expected, "\(text)")
      found += expected == text ? 0 : 1
    }
    // Control: many of the texts contain something to withhold.
    #expect(found > 1000)
  }

  /// Hostile text is withheld as a whole before it takes long.
  @Test func hostileTextIsBounded() throws {
    let registry = SecretRegistry()
    try registry.register("a-secret-of-eva")
    let part = "%25&#38;\\\\+=3D\n" + "YVhSemFYUnphWFJ6YVhSemFYUnphWFJ6YVhSegAA"
    let text = String(repeating: part, count: 65_000 / part.utf8.count) + " password=x"
    let time = ContinuousClock().measure { _ = Redactor(secrets: registry).redact(text) }
    #expect(time < .seconds(60))
  }
}
