import Foundation
import Testing

/// A call that AtRestFoundation has and the plugin's file has not would go to Foundation, which writes plaintext.
@Suite struct DeclarationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the names of the functions and initialisers in a text, sorted.
  private func names(_ text: String, _ prefix: String) throws -> [String] {
    let pattern = try Regex(
      "(?m)^ +\(prefix)(?:static |convenience )*(?:func ([A-Za-z=!]+)|init)[ (<]")
    return text.matches(of: pattern).map { String($0.output[1].substring ?? "init") }.sorted()
  }

  @Test func thePluginHasEachCall() throws {
    let folder = Self.root.appendingPathComponent("Sources/AtRestFoundation")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    let declared = try files.flatMap {
      try names(String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8), "public ")
    }
    let plugin = Self.root.appendingPathComponent("Plugins/ProtectFoundation/FoundationCalls.swift")
    let added = try names(String(contentsOf: plugin, encoding: .utf8), "")
    #expect(declared.count > 15)
    #expect(added == declared.sorted())
  }
}
