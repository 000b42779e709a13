import Foundation
import Testing

/// Every sample in Swift in README.md and docs is a part of a file that is compiled and tested.
///
/// After a change of such a file, `Scripts/write-samples.py` writes its samples into the pages.
@Suite struct DocumentSampleTests {
  @Test(arguments: DocumentPage.paths)
  func samplesAreCompiledCode(_ path: String) throws {
    let page = try DocumentPage(path)
    for sample in page.samples {
      let source = try SampleSource(sample.file)
      let code = try source.text(of: sample.name, withImports: sample.showsImports)
      #expect(sample.text == code, "\(path): \(sample.file), \(sample.name)")
      #expect(!code.isEmpty)
    }
  }

  @Test(arguments: DocumentPage.paths)
  func pagesShowTheImportsOfTheirSamples(_ path: String) throws {
    let page = try DocumentPage(path)
    var shown = try page.samples.filter(\.showsImports)
      .flatMap { try SampleSource($0.file).imports }
    // A sample that is a whole file begins with its imports.
    shown += page.samples.flatMap { $0.text.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("import ") }.map { String($0.dropFirst("import ".count)) }
    for sample in page.samples {
      let needed = try Set(SampleSource(sample.file).imports)
      #expect(needed.subtracting(shown) == [], "\(path): \(sample.name)")
    }
  }

  @Test(arguments: DocumentPage.paths)
  func unmarkedSamplesAreOfManifests(_ path: String) throws {
    for text in try DocumentPage(path).unmarked {
      #expect(text.contains(".product(") || text.contains(".package("), "\(path): \(text)")
    }
  }

  @Test(arguments: DocumentPage.paths)
  func productsExist(_ path: String) throws {
    let products = try SampleSource.products()
    #expect(products.contains("AtRest"))
    let parts = try DocumentPage(path).text.components(separatedBy: ".product(")
    for part in parts.dropFirst() where part.contains("package: \"AtRest\"") {
      let name = try #require(part.components(separatedBy: "\"").dropFirst().first)
      #expect(products.contains(name), "\(path): \(name)")
    }
  }

  @Test func theReadmeHasASampleInSwift() throws {
    #expect(try DocumentPage("README.md").samples.count >= 2)
    #expect(DocumentPage.paths.count > 5)
  }
}
