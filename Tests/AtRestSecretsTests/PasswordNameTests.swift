import AtRestSecrets
import Foundation
import Testing

/// Names of passwords in more than ten languages, beside names that only mention or resemble one.
@Suite struct PasswordNameTests {
  private static func names(_ meaning: String) throws -> [String] {
    let url = try #require(
      Bundle.module.url(forResource: "passwords", withExtension: "tsv", subdirectory: "Fixtures"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
      .filter { $0[1] == meaning }.map { $0[0] }
  }

  @Test func passwordsAreRecognised() throws {
    let names = try Self.names("password")
    #expect(names.count >= 130)
    for name in names { #expect(SensitiveName.ofPassword(name) != nil, "\(name)") }
  }

  @Test func otherNamesAreNot() throws {
    let names = try Self.names("other")
    #expect(names.count >= 170)
    for name in names { #expect(SensitiveName.ofPassword(name) == nil, "\(name)") }
  }

  @Test func ofALongNameTheEndDecides() {
    let path = String(repeating: "com.example.", count: 20)
    #expect(SensitiveName.ofPassword(path + "password") != nil)
    #expect(SensitiveName.ofPassword(path + "passwordHint") == nil)
    #expect(SensitiveName.ofPassword(String(repeating: "é", count: 200) + ".password") != nil)
  }
}
