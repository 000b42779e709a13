import AtRestAuditAnalysis
import AtRestAuditModel

/// Answers of servers that are kept on disk.
enum CacheChecks {
  static func add(to set: inout CheckSet) {
    set.onAssignment(["cachePolicy", "requestCachePolicy"]) { assignment, scope, pass in
      guard isForced(assignment.value) else { return }
      forced(assignment.expression, scope, pass)
    }
    set.onCall(["URLRequest", "NSURLRequest", "requestWithURL", "NSMutableURLRequest"]) {
      call, scope, pass in
      guard let policy = call["cachePolicy"], isForced(policy) else { return }
      forced(call.expression, scope, pass)
    }
    set.onCall(["storeCachedResponse"]) { call, scope, pass in
      pass.report(
        .urlCache, at: call.expression, in: scope,
        "the answer of a server is kept in Cache.db, in clear")
    }
    set.onMention(["defaultSessionConfiguration"]) { mention, scope, pass in
      authenticated(mention, scope, pass)
    }
    set.onMention(["default"]) { mention, scope, pass in
      guard case .member(let base, _) = mention.kind else { return }
      let isConfiguration =
        base == nil
        ? scope.calls.contains { $0.name == "URLSession" && $0["configuration"] === mention }
        : base?.lastName == "URLSessionConfiguration"
      if isConfiguration { authenticated(mention, scope, pass) }
    }
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
        "pages, cookies and storage of this web view are kept on disk")
    }
  }

  private static func isForced(_ policy: Expression) -> Bool {
    [
      "returnCacheDataElseLoad", "returnCacheDataDontLoad", "NSURLRequestReturnCacheDataElseLoad",
      "NSURLRequestReturnCacheDataDontLoad",
    ].contains(policy.lastName)
  }

  private static func forced(_ place: Expression, _ scope: Scope, _ pass: Pass) {
    pass.report(
      .urlCache, at: place, in: scope,
      "the answer is taken from the cache on disk, so it is kept there, in clear")
  }

  /// A session that sends credentials and keeps the answers.
  private static func authenticated(_ mention: Expression, _ scope: Scope, _ pass: Pass) {
    let sendsCredentials =
      scope.calls.contains { call in
        guard let header = call["forHTTPHeaderField"],
          let name = pass.inspector.constant(header, in: scope)?.text
        else { return false }
        return isCredential(name)
      }
      || scope.assignments.contains { assignment in
        guard assignment.name.lowercased() == "httpadditionalheaders",
          let headers = pass.inspector.dictionary(assignment.value, in: scope)
        else { return false }
        return headers.keys.contains(where: isCredential)
      }
    guard sendsCredentials,
      !scope.assignments.contains(where: { $0.name == "urlCache" || $0.name == "URLCache" }),
      !pass.project.hasNull(for: ["urlCache", "URLCache"]),
      pass.project.calls["removeAllCachedResponses"] == nil
    else { return }
    pass.report(
      .urlCache, at: mention, in: scope,
      "answers to requests with credentials are kept in Cache.db by this session, in clear")
  }

  private static func isCredential(_ header: String) -> Bool {
    header.lowercased() == "authorization" || Sensitivity.ofKey(header) == .token
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

extension ProjectFacts {
  /// Whether a name of interest stands anywhere.
  func mentions(_ name: String) -> Bool { mentioned.contains(name) || calls[name] != nil }

  /// Whether a property of one of these names is set to nothing anywhere.
  func hasNull(for names: Set<String>) -> Bool { !cleared.isDisjoint(with: names) }
}
