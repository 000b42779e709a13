import AtRestKeychain
import Foundation
import Security
import Testing

/// Tests that the tables in docs/Security.md, *What survives*, match the behaviour of the simulated
/// device.
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
    if !isThere { print("The table in docs/Security.md, What survives, must be:\n\n\(found)\n") }
    #expect(isThere)
    // Control: a table with other cells is not found.
    let other = found.replacingOccurrences(of: "readable |", with: "gone |")
    #expect(try other != found && !section.contains("\n\(other)\n"))
  }

  @Test func everyAccessibilityIsInTheTable() {
    let rows = SurvivalTable.accessibilities.specimens.map(\.accessible)
    #expect(rows == Accessibility.allCases.map(\.rawValue))
  }
}
