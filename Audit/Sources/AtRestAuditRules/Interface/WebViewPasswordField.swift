import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let webViewPasswordField = RuleID("web-view-password-field")
}

/// Finds pages in the code and in the app that ask for a password.
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
        if case .text(let text) = piece { PageFile.asksForPassword(text) } else { false }
      })
    else { return }
    pass.report(
      .webViewPasswordField, at: string, in: scope,
      "scripts of the page can read what is typed into its password field")
  }
}

extension ResourceChecks {
  /// Returns findings for the password fields of pages that ship, if the code has a web view that can
  /// show them.
  package func pageFindings(in resources: ProjectResources, use: CodeUse) -> [Finding] {
    guard use.modules.contains("WebKit") || use.names.contains("UIWebView") else { return [] }
    return resources.pages.filter { page in
      !resources.isTestOnly(page.path)
        && (resources.ships(page.path) || !resources.knowsTargets)
    }.flatMap { page in
      page.passwordFields.map { place in
        Finding(
          rule: .webViewPasswordField, severity: .low, location: place,
          message: "Scripts of the page can read what is typed into its password field.",
          anchor: ResourcePath.name(of: page.path))
      }
    }
  }
}
