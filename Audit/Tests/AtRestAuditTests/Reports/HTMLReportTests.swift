import AtRestAudit
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct HTMLReportTests {
  private let text = HTMLReport().text(of: Sample.report(), rules: Sample.rules)

  @Test func asksForNothingElse() {
    for request in [" src=\"http", "url(", "@import", "<link", "fetch(", "<iframe", "<object"] {
      #expect(!text.contains(request), "\(request)")
    }
    #expect(text.contains("default-src 'none'"))
  }

  @Test func showsWhatStandsInTheCodeAsText() {
    #expect(text.contains("AtRest audit of Bank &lt;App&gt;"))
    #expect(text.contains("&lt;b&gt;&amp;&#39;"))
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{202E}"))
    #expect(text.components(separatedBy: "<script").count == 2)
  }

  @Test func hasAnArticleForEachFinding() {
    #expect(text.components(separatedBy: "<article ").count == 4)
    #expect(text.contains("id=\"rule-weak-kdf\""))
    #expect(text.contains("<mark>log(password)</mark>"))
  }

  @Test func namesWhatCanBeUsed() {
    #expect(text.contains("<html lang=\"en\">"))
    #expect(text.contains("aria-live=\"polite\""))
    #expect(text.contains("prefers-color-scheme:dark"))
  }

  @Test(arguments: [Sample.report(), ContainerSample.report()])
  func isWellFormed(report: AuditReport) throws {
    let text = HTMLReport().text(of: report, rules: Sample.rules)
    // Without its script and with its void elements closed, the page is XML.
    var page = try #require(text.components(separatedBy: "<body>").last)
    page = try #require(page.components(separatedBy: "<script>").first)
    for attribute in ["checked", "hidden", "open"] {
      page = page.replacingOccurrences(of: " \(attribute)>", with: ">")
    }
    page = page.replacingOccurrences(
      of: "(<(input|img)[^>]*)>", with: "$1/>", options: .regularExpression)
    let parser = XMLParser(data: Data("<body>\(page)</body>".utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError)), \(parser.lineNumber)")
  }

  @Test func isShortWithoutFindings() throws {
    let text = HTMLReport().text(of: try MarkEngine.report([:]), rules: Sample.rules)
    #expect(text.contains("Nothing found."))
    #expect(!text.contains("<article"))
    #expect(!text.contains("<form"))
  }
}
