import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// Text that is withheld only because of its form.
@Suite struct PatternTests {
  private static let jwt =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9"

  private static func redact(_ text: String, _ patterns: RedactionPatterns = .standard) -> String {
    Redactor(patterns: patterns).redact(text)
  }

  @Test(arguments: [
    ("call with Bearer abcdef0123456789==", "call with Bearer [withheld]"),
    ("BEARER  opaque12 done", "BEARER  [withheld] done"),
    ("got \(jwt), and", "got [withheld], and"),
    ("-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\nnext", "[withheld]\nnext"),
    ("-----BEGIN EC PRIVATE KEY-----\nMIGH cut", "[withheld]"),
    ("card 4111 1111 1111 1111.", "card [withheld]."),
    ("card 378282246310005", "card [withheld]"),
    ("card 4111111111111111.0 of", "card [withheld].0 of"),
    ("of 378282246310005.99,5555555555554444.0", "of [withheld].99,[withheld].0"),
    ("card 30-56-93-09-02-59-04", "card [withheld]"),
    ("in 2024 5500-0000-0000-0004", "in 2024 [withheld]"),
    ("password=hunter2&x=1", "password=[withheld]&x=1"),
    (#"{"apiKey": "k 1", "n": 2}"#, #"{"apiKey": [withheld], "n": 2}"#),
    ("dbPassword: Optional(\"a b\") rest", "dbPassword: [withheld] rest"),
    ("\"clientSecret\": {\"a\": \"b c\"}, 1", "\"clientSecret\": [withheld], 1"),
    ("Cookie: a=b; c=d\nHost: x", "Cookie: [withheld]\nHost: x"),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: [withheld]"),
    ("q=1&access_token%3Dabcd%26x", "q=1&access_token%3D[withheld]%26x"),
    (#"body "{\"password\":\"abc\"}""#, #"body "{\"password\":[withheld]}""#),
    ("https://eva:s3cret@example.com/a", "https://eva:[withheld]@example.com/a"),
    ("pin: 1234, map", "pin: [withheld], map"),
    (
      "0x 9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015", "0x [withheld]"
    ),
    ("user=eva pass=hunter2 x", "user=eva pass=[withheld] x"),
    ("pw=hunter2;x=1", "pw=[withheld];x=1"),
    ("PASS: hunter2", "PASS: [withheld]"),
    ("DB_PASS=hunter2", "DB_PASS=[withheld]"),
    (#"{"dbPass": "a b", "user.pw": "c"}"#, #"{"dbPass": [withheld], "user.pw": [withheld]}"#),
    ("Authorization Basic dXNlcjpwYXNz", "Authorization Basic [withheld]"),
    (#"("Authorization", "Basic dXNlcjpwYXNz"), 1"#, #"("Authorization", "Basic [withheld]"), 1"#),
    ("Proxy-Authorization: Digest username=\"eva\"", "Proxy-Authorization: [withheld]"),
    ("sent Basic ZXZhOmh1bnRlcjI= to it", "sent Basic [withheld] to it"),
    ("card 4111.1111.1111.1111!", "card [withheld]!"),
    ("card 3782.822463.10005", "card [withheld]"),
    ("card 41 11 11 11 11 11 11 11", "card [withheld]"),
    ("card 41.11.11.11.11.11.11.11", "card [withheld]"),
    ("card 41-11-11-11-11-11-11-11, 4", "card [withheld], 4"),
    ("v2.1 4111 1111 1111 1111", "v2.1 [withheld]"),
    ("a pass&#61;hunter2&amp;x=1", "a pass&#61;[withheld]&amp;x=1"),
    ("k=q2N3pRkz8Jt+0bVQ7mXyL4sWd9FhG1uE5oTcAiZxB6k=", "k=[withheld]"),
  ])
  func itIsWithheld(text: String, expected: String) {
    #expect(Self.redact(text) == expected)
    // Control: without the pattern, nothing is withheld.
    #expect(Self.redact(text, []) == text)
  }

  @Test(arguments: [
    "bearer of good news", "eyJ.eyJ.x",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "card 4111 1111 1111 1112", "at 1700000000000 ms",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
    "the tokens: 15 of 20", "a mapping: here", "the password was changed", "id 12345678",
    "/usr/lib/swift/linux/Frameworks/Foundation/Resources/2024/file",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "https://example.com:8080/a?b=c", "x4111111111111111",
    "compass=north, bypass: maybe, trespass=no", "pass: 12, fail: 3", "pass=true",
    "passed: 12 tests", "--- PASS: TestLogin (0.00s)", "pass: 1500, fail: 3",
    "1.4111111111111111", "26-11-22 13-58-09-12",
    "two-pass: yes", "pass the salt: now", "Authorization failed for eva",
    "the authorization token expired yesterday", "authorization basic configuration",
    "Basic authentication is off", "basic training: done", "4111.1111.1111.1112",
    "41 11 11 11 11 11 11 12", "21 22 23 24 25 26 27 28 29 30 31 32",
    "41 11 11 11 11 11 11 11 11", "192.168.100.100", "255.12345678901237", "3.141592653589793",
    "2.4.16.1 and 10.15.7", "2024.01.02.03.04.05.06.07", "a &amp; b &#60; c",
    "sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
    "commit 9f86d081884c7d659a2feaa0c55ad01559f86d08", "trace 9f86d081884c7d659a2feaa0c55ad015",
    "initWithConfigurationForApplicationGroupIdentifier", "Grüße aus Köln, 100% + mehr \\o/",
  ])
  func plainTextStays(text: String) {
    #expect(Self.redact(text) == text)
  }

  @Test func mailOnlyWhereAskedFor() {
    let text = "to eva.k+x@example.co.uk, or x@localhost"
    #expect(Self.redact(text) == text)
    #expect(Self.redact(text, .all) == "to [withheld], or x@localhost")
  }

  /// About 34 of 2,000 keys are missed in one of two encodings, with a standard deviation of 6 (nine
  /// runs). Chance exceeds a limit of 100 once in 10^15 runs; a limit of 65, once in 10^5.
  @Test func randomKeysAreSeen() {
    let missed = (0..<2000).count { _ in
      let key = RandomBytes.data(count: 32)
      let words = [key.base64EncodedString(), key.map { String(format: "%02x", $0) }.joined()]
      return words.contains { !Self.redact("is \($0) it").contains("is [withheld]") }
    }
    #expect(missed < 100)
  }
}
