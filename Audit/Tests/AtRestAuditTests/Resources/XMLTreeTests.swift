import AtRestAudit
import Foundation
import Testing

@Suite struct XMLTreeTests {
  private func tree(_ text: String) -> XMLTree { XMLTree.read(Data(text.utf8), path: "a.xml") }

  @Test func `An element knows where its start tag begins and ends`() throws {
    let tree = tree("<a>\n  <b\n   x='1'>\n  </b>\n</a>")
    let element = try #require(tree.root?.child("b"))
    #expect(element.position == Position(line: 2, column: 3))
    #expect(element.location.end == Position(line: 3, column: 10))
    #expect(tree.skipped.isEmpty)
  }

  @Test func `Text and attributes have their entities resolved`() {
    let tree = tree(#"<a x="&lt;&#65;&#x42;&amp;&nix;">a &gt; b<![CDATA[ &lt;]]></a>"#)
    #expect(tree.root?.attribute("x") == "<AB&&nix;")
    #expect(tree.root?.text == "a > b &lt;")
  }

  @Test func `Declarations, comments and instructions are passed`() {
    let tree = tree(
      "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><!-- <b> --><a>&x;</a>"
    )
    #expect(tree.root?.text == "&x;")
    #expect(tree.skipped.isEmpty)
  }

  @Test func `Blanks count where they are all the text, and between children not`() {
    #expect(tree("<a>  </a>").root?.text == "  ")
    #expect(tree("<a>  <b/>  </a>").root?.text == "")
  }

  @Test func `An end tag that closes nothing is said`() {
    let tree = tree("<a><b></c></b></a>")
    #expect(tree.root?.child("b") != nil)
    #expect(tree.skipped.map(\.reason) == ["</c> has no start tag."])
  }

  @Test func `Elements deeper than the limit are left out and said`() {
    let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
    let tree = tree(deep + "<!-- -->")
    #expect(tree.elements.reduce(0) { count, _ in count + 1 } == XMLTree.depthLimit)
    #expect(tree.skipped.map(\.reason) == ["Elements nested deeper than 200 levels are skipped."])
  }

  @Test func `A document in UTF-16 is read`() throws {
    let data = try #require("<a b=\"ü\"/>".data(using: .utf16))
    #expect(XMLTree.read(data, path: "a").root?.attribute("b") == "ü")
  }

  @Test func `A file that is cut off is read as far as it goes, and said`() {
    let tree = tree("<a><b x='1'/><c")
    #expect(tree.root?.child("b")?.attribute("x") == "1")
    #expect(!tree.skipped.isEmpty)
  }
}
