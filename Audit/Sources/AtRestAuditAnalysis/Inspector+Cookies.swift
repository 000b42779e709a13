import AtRestAuditModel

extension Inspector {
  /// The name of the evidence that a value has the cookies of a store, which let their holder into the
  /// sessions that they belong to.
  package static let nameOfCookies = "the cookies of the app"

  /// Returns evidence if a member of a store of cookies has all or some of them:
  /// `HTTPCookieStorage.shared.cookies`.
  func cookies(_ name: String, of store: Expression, in scope: Scope) -> Evidence? {
    guard Self.readersOfCookies.contains(name),
      let type = type(of: store, in: scope).map(TypeName.plain), Self.storesOfCookies.contains(type)
    else { return nil }
    return Self.cookies
  }

  /// Returns evidence if a closure gets the cookies of a web view: `store.getAllCookies { cookies in … }`.
  func cookies(to handler: Scope.Handler, _ index: Int) -> Evidence? {
    guard case .call(let call, _) = handler.taker, call.name == "getAllCookies", index == 0 else {
      return nil
    }
    return Self.cookies
  }

  /// Returns true if code chooses a cookie by a name that lets nobody in, such as that of a token against
  /// forged requests: `cookies.first { $0.name == "XSRF-TOKEN" }`.
  func choosesOther(_ arguments: [Argument], in scope: Scope) -> Bool {
    guard case .closure(let closure)? = arguments.last?.value.kind else { return false }
    return closure.body.results.contains { namesOther($0, in: scope) }
  }

  /// Returns true if a scope compares the name of a cookie with one that lets nobody in:
  /// `if cookie.name == "theme"`.
  func isOther(cookie name: String, in scope: Scope) -> Bool {
    scope.comparisons.contains { comparison in
      guard case .binary(let left, _, let right) = comparison.kind else { return false }
      let isOfCookie = [left, right].contains { side in
        guard case .member(let base?, "name") = side.bare.kind else { return false }
        return base.bare.path == name
      }
      return isOfCookie && namesOther(comparison, in: scope)
    }
  }

  private func namesOther(_ comparison: Expression, in scope: Scope) -> Bool {
    guard case .binary(let left, "==", let right) = comparison.kind else { return false }
    let sides = [left, right]
    guard sides.contains(where: { $0.bare.lastName == "name" }),
      let name = sides.lazy.compactMap({ constant($0, in: scope)?.text }).first
    else { return false }
    let words = Words.split(name)
    return words.contains { $0 == "xsrf" || $0 == "csrf" } || words.contains("csrftoken")
      || SensitiveKind.ofKey(name)?.isSecret != true
  }

  private static var cookies: Evidence {
    Evidence(sensitivity: .token, name: nameOfCookies, source: .use, subject: "cookies")
  }

  private static let readersOfCookies: Set<String> = [
    "cookies", "cookiesForURL", "allCookies", "sortedCookies",
  ]

  private static let storesOfCookies: Set<String> = [
    "HTTPCookieStorage", "NSHTTPCookieStorage", "WKHTTPCookieStore",
  ]
}
