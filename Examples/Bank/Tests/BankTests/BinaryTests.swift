import Foundation
import Testing

/// Tests that `strings` does not find the composite key's partial secret in the program.
@Suite struct BinaryTests {
  @Test func noStringOfItIsThePartialSecret() throws {
    let binary = try Data(contentsOf: program())
    func contains(_ text: String) -> Bool { binary.range(of: Data(text.utf8)) != nil }
    // The input of atrest obfuscate, in parts. This file is not part of the program.
    for part in ["harbour", "seals sing", "at four in", "the morning"] { #expect(!contains(part)) }
    // Control: a plain literal of the program is found.
    #expect(contains("The bank does not accept this login."))
  }
}
