import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let urlCache = RuleID("urlcache")
}

/// Finds server responses that are kept on disk.
enum URLCacheOnDisk: CodeRule {
  static let rule = Rule(
    .urlCache, "Server responses kept on disk",
    severity: .medium, level: .required,
    consequence:
      "Responses and their requests are stored in Cache.db in the clear, so anyone who has the "
      + "device's files can read the account data and tokens in them.",
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
      """))

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
        "a server response is kept in Cache.db in the clear")
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
  }

  private static func isForced(_ policy: Expression) -> Bool {
    [
      "returnCacheDataElseLoad", "returnCacheDataDontLoad", "NSURLRequestReturnCacheDataElseLoad",
      "NSURLRequestReturnCacheDataDontLoad",
    ].contains(policy.lastName)
  }

  private static func forced(_ place: Expression, _ scope: Scope, _ pass: Pass) {
    // An ephemeral session caches in memory only.
    if scope.calls.contains(where: { $0.name.lowercased().contains("ephemeral") }) { return }
    pass.report(
      .urlCache, at: place, in: scope,
      "the response is taken from the cache on disk, so it is kept there in the clear")
  }

  /// Reports a URLSession that sends credentials and keeps the responses.
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
      "this URLSession keeps responses to requests with credentials in Cache.db in the clear")
  }

  private static func isCredential(_ header: String) -> Bool {
    header.lowercased() == "authorization" || SensitiveKind.ofKey(header) == .token
  }
}
