import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries that markup splits.
@Suite struct MarkupTests {
  private static let typed = "violet-kestrel-48"

  private func found(_ files: [String: [UInt8]]) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    let scan = ContainerScan(ContainerSource(files: files), canaries: [canary])
    return try scan.run().discoveries.map { found in
      guard case .canary(_, let encodings) = found.subject else { return "\(found.locator)" }
      return "\(found.locator): \(encodings.joined(separator: ", "))"
    }
  }

  @Test(arguments: [
    "vio<b>let</b>-kestrel-48", "violet-<span class=\"x\">kestrel</span>-48",
    "violet-<!-- a --><mark>kest</mark>rel-48", "vio<em>let</em>-kestrel&#45;48",
  ])
  func aTextAroundTagsIsFound(_ text: String) throws {
    let page = "{\"page\": \"<p>first</p><p>it was \(text.replacing("\"", with: "'"))</p>\"}"
    let places = try found(["a.json": Array(page.utf8)])
    #expect(places.count == 1, "\(places)")
    #expect(places.allSatisfy { $0.hasPrefix("a.json › page: ") && $0.contains("markup") })
  }

  @Test func cellsOfATableAreNotOneText() throws {
    let page = "<table><tr><td>violet-</td><td>kestrel-48</td></tr></table>"
    #expect(try found(["a.html": Array("<!doctype html>\n\(page)\n".utf8)]) == [])
  }

  @Test func aLargePageIsSearchedToo() throws {
    let filler = String(repeating: "<p>a <i>line</i> of text</p>\n", count: 5000)
    let page = "\u{0}\u{1}\(filler)<p>vio<b>let</b>-kestrel-48</p>"
    let places = try found(["a.bin": Array(page.utf8)])
    #expect(places.count == 1 && places[0].hasSuffix(": markup"), "\(places)")
  }
}
