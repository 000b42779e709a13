import AtRestAuditModel

extension RuleID {
  static let urlCache = RuleID("urlcache")
  static let webViewCache = RuleID("web-view-cache")
}

extension Rulebook {
  /// Answers of servers and pages that are kept on disk.
  static let caches: [Rule] = [
    Rule(
      .urlCache, "Answers of a server that are kept on disk",
      severity: .medium, level: .required,
      consequence:
        "Answers, and the requests with them, lie in Cache.db in clear: who has the device's "
        + "files reads the account data and tokens in them.",
      remedy:
        "Use URLSessionConfiguration.ephemeral, or set urlCache to nil and the cache policy to "
        + ".reloadIgnoringLocalCacheData, and call URLCache.shared.removeAllCachedResponses() at "
        + "logout.",
      references: .init(
        masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
        masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], mastg: ["MASTG-TEST-0302"],
        cwe: [312, 524]),
      bad: .init(
        "Client.swift",
        """
        func load(_ url: URL) -> URLRequest {
          var request = URLRequest(url: url)
          request.cachePolicy = .returnCacheDataElseLoad
          return request
        }
        """),
      good: .init(
        "Client.swift",
        """
        func load(_ url: URL) -> URLRequest {
          var request = URLRequest(url: url)
          request.cachePolicy = .reloadIgnoringLocalCacheData
          return request
        }
        """)),
    Rule(
      .webViewCache, "Web view that keeps pages of an account on disk",
      severity: .low, level: .recommended,
      consequence:
        "Pages, cookies and what pages store stay on the device after the person has left, for "
        + "who reads its files or opens the web view next.",
      remedy:
        "Give the WKWebViewConfiguration the data store WKWebsiteDataStore.nonPersistent(), or "
        + "remove the records of the data store when the view is closed.",
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
        """)),
  ]
}
