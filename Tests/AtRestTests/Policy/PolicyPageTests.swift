import AtRest
import Foundation
import Testing

/// Checks that the tables in docs/Policy.md are those of the Vault's policies.
@Suite struct PolicyPageTests {
  private func section(_ name: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/Policy.md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n### ")
    return try #require(parts.first { $0.hasPrefix("`StoragePolicy.\(name)`\n") })
  }

  @Test(arguments: [StoragePolicy.standard, .strict])
  func theTableOnThePageIsWhatIsDecided(_ policy: StoragePolicy) throws {
    let table = policy.table(hasCompositeKey: true)
    let page = try section(policy.name)
    let isThere = page.hasSuffix("\n\(table)") || page.contains("\n\(table)\n")
    if !isThere { print("docs/Policy.md, StoragePolicy.\(policy.name), should have:\n\n\(table)") }
    #expect(isThere)
    // Control: a policy that differs in one cell is detected.
    var other = policy
    other[.consumerGrade].longest = .seconds(86_400)
    #expect(!page.contains("\n\(other.table(hasCompositeKey: true))"))
  }

  /// Checks the statement with which the page replaces a third table.
  @Test func withoutARecipeItIsThePassphrase() {
    let composite = StoragePolicy.standard.table(hasCompositeKey: true)
    #expect(composite.contains("| composite |"))
    #expect(
      composite.replacingOccurrences(of: "| composite |", with: "| passphrase |")
        == StoragePolicy.standard.table(hasCompositeKey: false))
    #expect(!StoragePolicy.strict.table(hasCompositeKey: true).contains("composite"))
  }
}
