import AtRestAuditModel

/// The report as one self-contained page that makes no requests.
public struct HTMLReport: Sendable {
  public var reveal = false

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false) { self.reveal = reveal }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let content = HTMLContent(report.bounded, rules, reveal: reveal)
    let name = HTMLContent.shown(report.tree.name)
    let sections = content.sections
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>AtRest audit of \(name)</title>
      <style>\(HTMLPage.style)</style>
      </head>
      <body>
      <a class="skip" href="#findings">Skip to the findings</a>
      <header>
      <h1>AtRest audit of \(name)</h1>
      \(content.summary)
      \(content.navigation(sections))
      </header>
      <main>
      \(sections.map(\.html).joined(separator: "\n"))
      </main>
      <script>\(HTMLPage.script)</script>
      </body>
      </html>

      """
  }
}
