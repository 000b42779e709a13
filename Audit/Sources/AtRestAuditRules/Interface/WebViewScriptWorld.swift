import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let webViewScriptWorld = RuleID("web-view-script-world")
}

/// Finds scripts that read a page in the world of the page's own scripts.
enum WebViewScriptWorld: CodeRule {
  static let rule = Rule(
    .webViewScriptWorld, "Script that trusts the page which it reads",
    severity: .note, level: .recommended,
    consequence:
      "The script shares its functions with the page, so a malicious page can replace them and "
      + "decide what the app reads.",
    remedy:
      "Run the script in a world of its own: evaluateJavaScript(_:in:in:) with "
      + "WKContentWorld.defaultClient.",
    references: .init(masvs: ["MSTG-PLATFORM-7"], mastg: ["MASTG-TEST-0379"], cwe: [501]),
    bad: .init(
      "Reader.swift",
      """
      import WebKit

      func read(_ view: WKWebView) {
        view.evaluateJavaScript("document.getElementById('user').value") { name, _ in use(name) }
      }
      """),
    good: .init(
      "Reader.swift",
      """
      import WebKit

      func read(_ view: WKWebView) {
        view.evaluateJavaScript(
          "document.getElementById('user').value", in: nil, in: .defaultClient) { use($0) }
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["evaluateJavaScript"]) { call, scope, pass in
      guard let script = call[0], call["in"] == nil, call["inFrame"] == nil,
        call["contentWorld"] == nil,
        let text = script.literal ?? pass.inspector.constant(script, in: scope)?.text,
        reads(text)
      else { return }
      pass.report(
        .webViewScriptWorld, at: call.expression, in: scope,
        "the page can replace the functions that this script reads it with")
    }
  }

  /// Returns true for a script whose value is something that the page contains.
  private static func reads(_ text: String) -> Bool {
    let script = text.filter { !$0.isWhitespace }
    return script.contains("document.")
      && [".value", ".innerHTML", ".innerText", ".textContent", ".outerHTML", "getAttribute("]
        .contains { part in
          guard let found = script.firstRange(of: part) else { return false }
          // `document.body.innerHTML = …` writes.
          let rest = script[found.upperBound...]
          return !(rest.hasPrefix("=") && !rest.hasPrefix("=="))
        }
  }
}
