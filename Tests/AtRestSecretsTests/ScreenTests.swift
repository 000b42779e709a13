import AtRestSecrets
import Foundation
import Testing

/// The fast test that rules out names which cannot be sensitive.
@Suite struct ScreenTests {
  private static func names(_ file: String) throws -> [String] {
    let url = try #require(
      Bundle.module.url(forResource: file, withExtension: "tsv", subdirectory: "Fixtures"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      String(line.prefix { $0 != "\t" })
    }
  }

  private func mayBeSensitive(_ key: String) -> Bool {
    Array(key.utf8).withUnsafeBufferPointer(SensitiveName.mayBeSensitive)
  }

  @Test func noSensitiveNameIsRuledOut() throws {
    let names = try Self.names("sensitive") + Self.names("harmless")
    for name in names where SensitiveName(key: name) != nil {
      for key in [name, name.uppercased(), "com.example/\(name)[0]"]
      where SensitiveName(key: key) != nil {
        #expect(mayBeSensitive(key), "\(key)")
      }
    }
  }

  @Test(arguments: ["title", "2026-11-22", "duration", "NSUnderlyingError", "", "x"])
  func aNameWithoutAnyOfTheWordsIsRuledOut(_ key: String) { #expect(!mayBeSensitive(key)) }

  @Test func aNameInOtherLettersIsNeverRuledOut() { #expect(mayBeSensitive("größe")) }
}
