import Foundation
import Testing

/// The first code of README.md in Swift is a part of the example, which is built and tested there.
@Suite struct ReadmeSampleTests {
  private func text(_ path: String) throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theFirstSampleIsTheExamplesCode() throws {
    let source = try text("Examples/Bank/Sources/Bank/Customer.swift")
    let begin = try #require(source.range(of: "// README: begin\n"))
    let end = try #require(source.range(of: "// README: end\n"))
    let region = source[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
    let parts = try text("README.md").components(separatedBy: "```swift\n")
    let sample = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    #expect(sample.trimmingCharacters(in: .newlines) == region)
    #expect(region.contains("account.store("))
  }
}
