import AtRestKeychain
import Foundation
import Security
import Testing

/// What survives what happens to a device: docs/Security.md, *What survives*, is what the simulated
/// device does.
@Suite struct SurvivalTests {
  private var section: String {
    get throws {
      let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/Security.md")
      let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## ")
      return try #require(parts.first { $0.hasPrefix("What survives\n") })
    }
  }

  @Test(arguments: [SurvivalTable.accessibilities, .flags])
  func theTableInTheDocumentsIsWhatHappens(_ table: SurvivalTable) throws {
    let found = try table.markdown()
    let isThere = try section.contains("\n\(found)\n")
    if !isThere { print("docs/Security.md, What survives, ought to have:\n\n\(found)\n") }
    #expect(isThere)
    // Control: one cell that says something else is noticed.
    let other = found.replacingOccurrences(of: "readable |", with: "gone |")
    #expect(try other != found && !section.contains("\n\(other)\n"))
  }

  @Test func everyAccessibilityIsInTheTable() {
    let rows = SurvivalTable.accessibilities.specimens.map(\.accessible)
    #expect(rows == Accessibility.allCases.map(\.rawValue))
  }
}
