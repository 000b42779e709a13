import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let webViewPasswordField = RuleID("web-view-password-field")
}

/// Finds pages in the code that ask for a password.
enum WebViewPasswordField: CodeRule {
  static let rule = Rule(
    .webViewPasswordField, "Password field in a page of a web view",
    severity: .low, level: .recommended,
    consequence:
      "Every script in the page, also one of an attacker, can read what is typed into the field.",
    remedy:
      "Ask with a native secure text field, or let ASWebAuthenticationSession show the page of the "
      + "service.",
    references: .init(masvs: ["MSTG-PLATFORM-5"], mastg: ["MASTG-TEST-0378"], cwe: [522]),
    bad: .init(
      "Page.swift",
      // atrest:ignore web-view-password-field the rule's own example
      #"""
      import WebKit

      func ask(in view: WKWebView) {
        view.loadHTMLString("<form><input type=\"password\" name=\"p\"></form>", baseURL: nil)
      }
      """#),
    good: .init(
      "Page.swift",
      #"""
      import WebKit

      func ask(in view: WKWebView) {
        view.loadHTMLString("<p>Enter the password in the app.</p>", baseURL: nil)
      }
      """#))

  static func add(to set: inout CheckSet) {
    set.onScope { scope, pass in
      for string in scope.strings { judge(string, scope, pass) }
    }
  }

  private static func judge(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .string(let pieces) = string.kind,
      pieces.contains(where: { piece in
        if case .text(let text) = piece { asks(text) } else { false }
      })
    else { return }
    pass.report(
      .webViewPasswordField, at: string, in: scope,
      "scripts of the page can read what is typed into its password field")
  }

  /// Returns true for HTML with an input of the type `password`.
  private static func asks(_ text: String) -> Bool {
    guard text.utf8.count > 20, text.utf8.contains(UInt8(ascii: "<")) else { return false }
    let parts = text.lowercased().split(separator: "<input", omittingEmptySubsequences: false)
    return parts.dropFirst().contains { rest in
      let tag = rest.prefix { $0 != ">" }.filter { !$0.isWhitespace && $0 != "\\" }
      return tag.contains("type=\"password\"") || tag.contains("type='password'")
        || tag.contains("type=password")
    }
  }
}
