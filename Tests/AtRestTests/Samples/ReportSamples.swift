import AtRest
import Foundation
import Testing

/// The sample of docs/Vault.md for reports. Between the marks is what the page shows.
@Suite struct ReportSamples {
  @Test func showTheReport() throws {
    let test = try TestVault()
    let account = try test.open().logIn("eva")
    try account.store("text", in: .note)
    // sample: show the report
    let texts = ReportTexts(
      language: "en", texts: ["why.record.note": "So that you can read it on the train."])
    let report = try account.report()
    print(report.page(.text, texts: texts))
    let page = report.page(.html, texts: texts)  // one document, without scripts, to show or print
    // sample: end
    #expect(page.contains("So that you can read it on the train."))
  }
}
