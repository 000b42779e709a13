import AtRestRedaction
import Foundation
import Testing

/// Tokens of services, account numbers and identity numbers are withheld by their form.
@Suite struct ServiceTokenTests {
  private static func redact(_ text: String, _ patterns: RedactionPatterns = .standard) -> String {
    Redactor(patterns: patterns).redact(text)
  }

  // The tokens are put together here, so that scanners of this repository do not report them.
  private static let letters = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5b"
  private static let tokens: [String] = [
    ("ghp", "_*"), ("gho", "_*"), ("ghu", "_*"), ("ghs", "_*"), ("ghr", "_*"),
    ("github", "_pat_11ABCDE0Y0*"), ("glpat", "-*"), ("xoxb", "-17653672481-19874698323-*"),
    ("xapp", "-1-A0*"), ("AKIA", "IOSFODNN7EXAMPLE"), ("ASIA", "IOSFODNN7EXAMPLE"),
    ("sk_", "live_*"), ("rk_", "test_*"), ("whsec", "_*"), ("AIza", "Sy*"), ("ya29", ".a0Af-*"),
    ("npm", "_*"), ("pypi", "-AgEIcHlwaS5vcmc*"), ("dckr", "_pat_*"), ("SG", ".*.*"),
  ].map { (first: String, second: String) in first + second.replacing("*", with: letters) }

  @Test(arguments: tokens) func aTokenIsWithheld(_ token: String) {
    #expect(Self.redact("got \(token), then") == "got [withheld], then")
    #expect(Self.redact("a%20\(token)").hasSuffix("[withheld]"))
    // Control: a shorter text with the same beginning is no token.
    let short = "got \(token.prefix(9)), then"
    #expect(Self.redact(short) == short)
    #expect(Self.redact("got \(token), then", []) == "got \(token), then")
  }

  @Test(arguments: [
    "DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19", "FR1420041010050500013M02606",
    "CH93 0076 2011 6238 5295 7", "NL91ABNA0417164300", "NO9386011117947",
  ])
  func anAccountNumberIsWithheld(_ account: String) {
    #expect(Self.redact("to \(account).") == "to [withheld].")
    let wrong = account.replacing("0", with: "1", maxReplacements: 1)
    #expect(Self.redact("to \(wrong).", .bankAccounts) == "to \(wrong).")
  }

  @Test(arguments: [
    "078-05-1120", "AB123456C", "AB 12 34 56 C", "12345678Z", "X1234567L", "RSSMRA85T10A562S",
    "255081416802538", "2 55 08 14 168 025 38", "85.07.30-033.28", "756.9217.0769.85",
    "811228-9874", "131052-308T", "529.982.247-25", "11010519491231002X", "2341 2341 2346",
  ])
  func anIdentityNumberIsWithheld(_ number: String) {
    #expect(Self.redact("of \(number), born") == "of [withheld], born")
  }

  @Test(arguments: [
    "666-05-1120", "12345678A", "RSSMRA85T10A562T", "255081416802539", "85.07.30-033.29",
    "756.9217.0769.86", "811228-9875", "131052-308U", "44051401359", "20261123-0901",
    "529.982.247-26",
    "110105194912310021", "2341 2341 2347", "2341 2341 2346 2341", "2026-11-23 10",
    "10.250.110.213",
  ])
  func otherNumbersStay(_ number: String) {
    #expect(Self.redact("of \(number), born") == "of \(number), born")
  }
}
