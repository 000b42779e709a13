import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let cookies = RuleID("cookies")
}

/// Secret in a cookie that is stored on disk.
enum Cookies: CodeRule {
  static let rule = Rule(
    .cookies, "Secret in a cookie that is stored on disk",
    severity: .medium, level: .required,
    consequence:
      "Cookies are stored in the clear in the file Cookies.binarycookies. Anyone who has the device's "
      + "files or a backup can take over the session.",
    remedy:
      "Store the token in the keychain and send it in a header of each request, or make a cookie "
      + "without an expiration, which stays in memory.",
    references: .init(
      masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
      masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], mastg: ["MASTG-TEST-0302"],
      cwe: [312, 315]),
    bad: .init(
      "Session.swift",
      """
      func keep(sessionToken: String) {
        let cookie = HTTPCookie(properties: [
          .domain: "example.org", .path: "/", .name: "sid", .value: sessionToken,
          .maximumAge: "2592000",
        ])!
        HTTPCookieStorage.shared.setCookie(cookie)
      }
      """),
    good: .init(
      "Session.swift",
      """
      // Without an age, the cookie ends with the session and stays in memory.
      func keep(sessionToken: String) {
        let cookie = HTTPCookie(properties: [
          .domain: "example.org", .path: "/", .name: "sid", .value: sessionToken,
        ])!
        HTTPCookieStorage.shared.setCookie(cookie)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["setCookie", "setCookies"]) { call, scope, pass in
      // These stores keep nothing on the disk.
      if let store = call.receiver,
        pass.inspector.involves(
          [
            "nonPersistent", "nonPersistentDataStore", "ephemeral",
            "ephemeralSessionConfiguration",
          ], store, in: scope)
      {
        return
      }
      // What one store has goes to another, and each is judged where it gets it.
      guard let value = call[0], let found = cookie(value, scope, pass, depth: 0),
        found.name != Inspector.nameOfCookies
      else { return }
      pass.report(
        .cookies, found, at: call.expression, in: scope,
        "# is stored as a cookie, in the clear in Cookies.binarycookies")
    }
  }

  private static func cookie(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int
  ) -> Evidence? {
    guard depth < 4 else { return nil }
    if case .name(let name) = value.bare.kind,
      case .local(let bindings, _, let home) = pass.inspector.meaning(of: name, in: scope)
    {
      if let made = bindings.first(where: { isMade($0.value) }) {
        return cookie(made.value, home, pass, depth: depth + 1)
      }
      for binding in bindings {
        if let found = cookie(binding.value, home, pass, depth: depth + 1) { return found }
      }
    }
    // `HTTPCookie.emptySession`
    if case .member(let base?, _) = value.bare.kind, base.lastName == "HTTPCookie" {
      return pass.inspector.results(of: value, in: scope).lazy.compactMap {
        cookie($0.value, $0.scope, pass, depth: depth + 1)
      }.first
    }
    if case .call(let callee, let arguments) = value.bare.kind {
      if callee.lastName == "HTTPCookie" || callee.lastName == "cookieWithProperties"
        || callee.lastName == "initWithProperties", let properties = arguments.first?.value,
        let entries = pass.inspector.dictionary(properties, in: scope)
      {
        return cookie(entries, pass)
      }
      let receiver: Expression? =
        if case .member(let base?, _) = callee.kind { base } else { nil }
      if callee.lastName == "cookies" || callee.lastName == "cookiesWithResponseHeaderFields",
        let fields = arguments.first?.value
      {
        if endsWithSession(fields, scope, pass) { return nil }
        return pass.inspector.sensitivity(of: fields, in: scope)
      }
      let call = Scope.Call(
        expression: value.bare, name: callee.lastName ?? "", receiver: receiver,
        arguments: arguments)
      for declared in pass.inspector.functions(for: call, in: scope) {
        for result in declared.scope.returns {
          if let found = cookie(result, declared.scope, pass, depth: depth + 1) { return found }
          // The function makes a cookie of its arguments.
          for argument in pass.inspector.arguments(of: call, entering: result, of: declared) {
            if let found = pass.inspector.sensitivity(of: argument, in: scope) { return found }
          }
        }
      }
    }
    if case .array(let elements) = value.bare.kind {
      return elements.lazy.compactMap { cookie($0, scope, pass, depth: depth + 1) }.first
    }
    return pass.inspector.sensitivity(of: value, in: scope)
  }

  /// Returns true if an expression makes a cookie from its properties, or names one that a type
  /// makes.
  private static func isMade(_ value: Expression) -> Bool {
    switch value.bare.kind {
    case .call(let callee, _):
      ["HTTPCookie", "cookieWithProperties", "initWithProperties"].contains(callee.lastName)
    case .member(let base?, _): base.lastName == "HTTPCookie"
    default: false
    }
  }

  /// The attributes without which a cookie ends with the session, and is not written to the disk.
  private static let lasting = [
    "expires", "maximumAge", "NSHTTPCookieExpires", "NSHTTPCookieMaximumAge",
  ]

  /// Returns true for the field of a response that is written out without the attributes of a cookie that lasts:
  /// `["Set-Cookie": "csrftoken=\\(token)"]`.
  private static func endsWithSession(
    _ fields: Expression, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard let entries = pass.inspector.dictionary(fields, in: scope), entries.isComplete,
      let entry = entries["Set-Cookie"], case .string(let pieces) = entry.value.bare.kind
    else { return false }
    return pieces.allSatisfy { piece in
      guard case .text(let text) = piece else { return true }
      let lower = text.lowercased()
      return !lower.contains("expires") && !lower.contains("max-age")
    }
  }

  private static func cookie(_ entries: DictionaryFacts, _ pass: Pass) -> Evidence? {
    guard !entries.isComplete || lasting.contains(where: { entries[$0] != nil }) else { return nil }
    for key in ["value", "NSHTTPCookieValue"] {
      if let entry = entries[key], pass.inspector.isEmpty(entry.value) { return nil }
    }
    for key in ["value", "NSHTTPCookieValue"] {
      if let entry = entries[key],
        let found = pass.inspector.sensitivity(of: entry.value, in: entry.scope)
      {
        return found
      }
    }
    for key in ["name", "NSHTTPCookieName"] {
      guard let entry = entries[key],
        let text = pass.inspector.constant(entry.value, in: entry.scope)?.text
      else { continue }
      if let found = SensitiveKind.ofKey(text) {
        return Evidence(sensitivity: found, name: "the cookie \(text)", source: .use)
      }
    }
    return nil
  }
}
