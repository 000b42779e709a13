import AtRest
import AtRestSimulation
import Foundation
import Testing

/// The page of a report, in several languages.
@Suite struct ReportPageTests {
  private let utc = TimeZone(identifier: "UTC")!

  private func report(
    _ name: String = "note", keep retention: Retention = .untilLogout,
    kind: DataKind = .document
  ) throws -> AccountReport {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: VaultRecord(name, kind, keep: retention))
    return try eva.report()
  }

  @Test func saysItInWords() throws {
    let deadline = Date(timeIntervalSince1970: 4_000_000_000)  // 2 October 2096
    let page = try report(keep: Retention(until: deadline, uses: 1)).page(.text, timeZone: utc)
    #expect(page.hasPrefix("Your data on this device\n=====\u{3D}"))
    #expect(page.contains("Account: eva\n"))
    #expect(page.contains("2 entries are kept about you."))
    #expect(
      page.contains("\nDocument: note\n--------------\nWhy: Because you added or opened it.\n"))
    #expect(
      page.contains(
        "Until when: Until October 2, 2096, or until it has been read one more time, "
          + "or until you log out\n"))
    #expect(
      page.contains(
        "Protection: Encrypted for this device. A backup of it can only be opened on this device.\n"
      ))
  }

  @Test func isTranslated() throws {
    let german = ReportTexts(
      language: "de",
      texts: [
        "page.title": "Ihre Daten auf diesem Gerät", "kind.document": "Dokument",
        "limit.date": "bis {date}", "limit.or": "{first} oder {second}",
        "limit.logout": "bis Sie sich abmelden", "why.record.note": "Weil Sie es notiert haben.",
      ])
    let deadline = Date(timeIntervalSince1970: 4_000_000_000)
    let page = try report(keep: Retention(until: deadline))
      .page(.text, texts: german, timeZone: utc)
    #expect(page.contains("Ihre Daten auf diesem Gerät\n"))
    #expect(page.contains("Dokument: note\n"))
    #expect(page.contains("Bis 2. Oktober 2096 oder bis Sie sich abmelden\n"))
    #expect(page.contains("Why: Weil Sie es notiert haben.\n"))
    #expect(german.missing.contains("why.token"))
    #expect(!german.missing.contains("kind.document"))
    #expect(ReportTexts(language: "x", texts: [:]).missing == ReportTexts.keys)
  }

  @Test(arguments: [(1, "odczyt"), (2, "odczyty"), (5, "odczytów"), (22, "odczyty")])
  func hasThePluralsOfTheLanguage(count: Int, noun: String) throws {
    let polish = ReportTexts(
      language: "pl",
      texts: [
        "limit.reads.one": "{count} odczyt", "limit.reads.few": "{count} odczyty",
        "limit.reads.many": "{count} odczytów",
      ]
    ) { count in
      if count == 1 { return "one" }
      let isFew = (2...4).contains(count % 10) && !(12...14).contains(count % 100)
      return isFew ? "few" : "many"
    }
    let page = try report(keep: Retention(uses: count)).page(.text, texts: polish)
    #expect(page.contains("\(count) \(noun), or"))
  }

  @Test func escapesNames() throws {
    let name = "<script>alert('x')</script> & \"{date}\"\u{202E}\n<\u{338}b>"
    let page = try report(name).page(.html)
    #expect(!page.contains("<script"))
    #expect(
      page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;{date}&quot;"))
    #expect(!page.unicodeScalars.contains("\u{202E}"))
    // Control: the page has markup of its own, and no `<` other than that.
    let tags = [
      "!DOCTYPE html", "html", "head", "meta", "title", "style", "body", "h1", "p", "section", "h2",
      "dl", "dt", "dd", "/",
    ]
    #expect(page.contains("<h2>Document: "))
    for part in page.unicodeScalars.split(separator: "<").dropFirst() {
      #expect(tags.contains { String(part).hasPrefix($0) }, "\(part)")
    }
    let text = try report(name).page(.text)
    #expect(
      text.split(separator: "\n").count == (try report().page(.text)).split(separator: "\n").count)
  }

  @Test func escapesTranslations() throws {
    let texts = ReportTexts(language: "en\"><b>", texts: ["page.title": "<b>&"])
    let page = try report().page(.html, texts: texts)
    #expect(!page.contains("<b>"))
    #expect(page.contains("<title>&lt;b&gt;&amp;</title>"))
  }

  @Test func needsNoOtherFileAndNoScript() throws {
    let page = try report().page(.html)
    #expect(page.contains("default-src 'none'"))
    for reference in ["src=", "href=", "<script", "url(", "http://", "https://"] {
      #expect(!page.replacing("default-src 'none'", with: "").contains(reference), "\(reference)")
    }
  }

  @Test func namesAKindOfTheApplication() throws {
    let page = try report(kind: DataKind("boarding-pass", .consumerGrade)).page(.text)
    #expect(page.contains("\nBoarding pass: note\n"))
    #expect(page.contains("Why: The app needs it for what you do with it.\n"))
    let texts = ReportTexts(language: "en", texts: ["why.boarding-pass": "To board."])
    let own = try report(kind: DataKind("boarding-pass", .consumerGrade)).page(.text, texts: texts)
    #expect(own.contains("Why: To board.\n"))
  }

  /// Every kind of the module has a title and a reason.
  @Test func everyKindHasWords() {
    for kind in DataKind.all where kind != .password {
      #expect(ReportTexts.keys.contains("kind.\(kind)"))
      #expect(ReportTexts.keys.contains("why.\(kind)"))
    }
  }
}
