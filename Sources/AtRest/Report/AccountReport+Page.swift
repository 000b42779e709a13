@_spi(Tools) import AtRestCrypto
import Foundation

extension AccountReport {
  /// The format of a page.
  public enum Format: String, Sendable, Codable {
    /// Plain text in UTF-8.
    case text
    /// A document in HTML that needs no other file and runs no script.
    case html
  }

  /// Returns the report as a page to read or print, in words for the user.
  ///
  /// Names are escaped, so they cannot add markup, and characters that change the direction of text
  /// are replaced.
  ///
  /// - Parameter texts: The language of the page.
  public func page(
    _ format: Format, texts: ReportTexts = .english, timeZone: TimeZone = .current
  ) -> String {
    let page = ReportPage(self, texts, timeZone)
    return switch format {
    case .text: page.text
    case .html: page.html
    }
  }
}

/// The sentences of a report in the order of a page.
private struct ReportPage {
  private struct Section {
    let title: String
    let lines: [(heading: String, text: String)]
  }

  private let language: String
  private let title: String
  private let head: [String]
  private let sections: [Section]

  init(_ report: AccountReport, _ texts: ReportTexts, _ timeZone: TimeZone) {
    let style = Date.FormatStyle(
      date: .long, time: .omitted, locale: Locale(identifier: texts.language), timeZone: timeZone)
    language = Self.visible(texts.language)
    title = texts("page.title")
    let count = report.entries.count
    head = [
      report.account.map { texts("page.account", ["account": Self.visible($0)]) }
        ?? texts("page.device"),
      texts("page.made", ["date": report.made.formatted(style)]),
      count == 0 ? texts("page.empty") : texts("page.entries", count: count),
    ]
    let risks = report.risks.map { risk in
      (texts("page.risk"), Self.visible(texts.text("risk.\(risk.id)") ?? risk.message))
    }
    let gaps = risks.isEmpty ? [] : [Section(title: texts("page.risks"), lines: risks)]
    let entries = report.entries.map { entry in
      let isOwn = report.account != nil
      return Section(
        title: Self.title(entry, texts),
        lines: [
          (texts("page.why"), Self.why(entry, texts)),
          (
            texts("page.until"),
            Self.limits(entry, texts, style, fallback: isOwn ? "limit.logout" : "limit.device")
          ),
          (
            texts("page.protection"),
            texts("key.\(entry.key.rawValue)") + " "
              + texts(entry.mayMigrate ? "migration.yes" : "migration.no")
          ),
          (texts("page.stored"), entry.stored.formatted(style)),
        ])
    }
    sections = gaps + entries
  }

  private static func title(_ entry: AccountReport.Entry, _ texts: ReportTexts) -> String {
    let kind =
      texts.text("kind.\(entry.kind)")
      ?? visible(entry.kind.replacing("-", with: " ")).capitalizedSentence
    guard !entry.name.isEmpty else { return kind }
    return texts("page.named", ["kind": kind, "name": visible(entry.name)])
  }

  private static func why(_ entry: AccountReport.Entry, _ texts: ReportTexts) -> String {
    // Only a value has a record.
    let own = entry.size == nil ? nil : texts.text("why.record.\(entry.name)")
    return own ?? texts.text("why.\(entry.kind)") ?? texts("why")
  }

  private static func limits(
    _ entry: AccountReport.Entry, _ texts: ReportTexts, _ style: Date.FormatStyle,
    fallback: String
  ) -> String {
    let limits = entry.limits.map { limit in
      switch limit {
      case .date(let date): texts("limit.date", ["date": date.formatted(style)])
      case .unused(let date): texts("limit.unused", ["date": date.formatted(style)])
      case .reads(let count): texts("limit.reads", count: count)
      }
    }
    let all = limits + [texts(fallback)]
    return all.dropFirst().reduce(all[0]) {
      texts("limit.or", ["first": $0, "second": $1])
    }.capitalizedSentence
  }

  /// Replaces characters that control a terminal or a printer, or change the direction of text.
  private static func visible(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.isObeyedByTerminals ? "\u{FFFD}" : $0 }))
  }

  // MARK: Text

  var text: String {
    var lines = [title, String(repeating: "=", count: title.count)] + head
    for section in sections {
      lines += ["", section.title, String(repeating: "-", count: section.title.count)]
      lines += section.lines.map { "\($0.heading): \($0.text)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: HTML

  private static let style = """
    body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}
    section{break-inside:avoid;border-top:1px solid #999}h2{font-size:1.1rem}dt{font-weight:600}
    """

  var html: String {
    let sections = sections.map { section in
      let lines = section.lines.map { line in
        "<dt>\(Self.escaped(line.heading))</dt>\n<dd>\(Self.escaped(line.text))</dd>"
      }
      return "<section>\n<h2>\(Self.escaped(section.title))</h2>\n<dl>\n"
        + lines.joined(separator: "\n") + "\n</dl>\n</section>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="\(Self.escaped(language))" dir="auto">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <title>\(Self.escaped(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>\(Self.escaped(title))</h1>
      \(head.map { "<p>\(Self.escaped($0))</p>" }.joined(separator: "\n"))
      \(sections.joined())</body>
      </html>

      """
  }

  private static func escaped(_ text: String) -> String {
    // A combining mark after a character of markup does not change the meaning of that character.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
