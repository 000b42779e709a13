import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let webViewCache = RuleID("web-view-cache")
}

/// Finds web views that keep account pages on disk.
enum WebViewCache: CodeRule {
  static let rule = Rule(
    .webViewCache, "Web view that keeps account pages on disk",
    severity: .low, level: .recommended,
    consequence:
      "Pages, cookies and the data that pages store stay on the device after the person has left, "
      + "where anyone who reads its files or opens the web view next finds them.",
    remedy:
      "Set the websiteDataStore of the WKWebViewConfiguration to .nonPersistent(), or remove the "
      + "data store's records when the web view is closed.",
    references: .init(
      masvs: ["MSTG-PLATFORM-10", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
      masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], cwe: [524, 525]),
    bad: .init(
      "LoginPage.swift",
      """
      class LoginPage: UIViewController {
        let page = WKWebView(frame: .zero)
      }
      """),
    good: .init(
      "LoginPage.swift",
      """
      class LoginPage: UIViewController {
        lazy var page: WKWebView = {
          let configuration = WKWebViewConfiguration()
          configuration.websiteDataStore = .nonPersistent()
          return WKWebView(frame: .zero, configuration: configuration)
        }()
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["WKWebView", "UIWebView", "initWithFrame", "init"]) { call, scope, pass in
      if let receiver = call.receiver {
        guard ["alloc", "WKWebView", "UIWebView"].contains(receiver.lastName),
          ["WKWebView", "UIWebView"].contains(pass.inspector.type(of: receiver, in: scope))
        else { return }
      }
      guard call.receiver != nil || call.name.hasSuffix("WebView"), concernsAccount(scope),
        !["nonPersistent", "nonPersistentDataStore", "removeData", "removeDataOfTypes"].contains(
          where: { pass.project.calls[$0] != nil || pass.project.mentions($0) })
      else { return }
      pass.report(
        .webViewCache, at: call.expression, in: scope,
        "this web view keeps its pages, cookies and storage on disk")
    }
  }

  private static func concernsAccount(_ scope: Scope) -> Bool {
    let words = Words.split(scope.owner ?? "") + Words.split(scope.function?.name ?? "")
    return words.contains {
      [
        "login", "signin", "auth", "oauth", "payment", "checkout", "account", "bank",
        "authentication", "sso",
      ]
      .contains($0)
    }
  }
}
