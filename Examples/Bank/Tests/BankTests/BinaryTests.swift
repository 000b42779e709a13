import Foundation
import Testing

/// The partial secret of the composite key is in the program, and `strings` does not find it.
@Suite struct BinaryTests {
  @Test func noStringOfItIsThePartialSecret() throws {
    let binary = try Data(contentsOf: program())
    func contains(_ text: String) -> Bool { binary.range(of: Data(text.utf8)) != nil }
    // What atrest obfuscate was given, in parts. This file is not in the program.
    for part in ["harbour", "seals sing", "at four in", "the morning"] { #expect(!contains(part)) }
    // Control: a plain literal of the program is found.
    #expect(contains("The bank does not accept this login."))
  }
}
