import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let sensitiveInURL = RuleID("sensitive-in-url")
}

/// Secret in a URL.
enum SensitiveInURL: CodeRule {
  static let rule = Rule(
    .sensitiveInURL, "Secret in a URL",
    severity: .medium, level: .required,
    consequence:
      "URLs are written to caches on the device and to the logs of servers and proxies, where "
      + "other people can read the secret long afterwards.",
    remedy:
      "Send the secret in the httpBody or in the Authorization header of the URLRequest.",
    references: .init(cwe: [598]),
    bad: .init(
      "Login.swift",
      """
      func address(user: String, password: String) -> URL? {
        URL(string: "https://example.org/login?user=\\(user)&password=\\(password)")
      }
      """),
    good: .init(
      "Login.swift",
      """
      func request(user: String, password: String) throws -> URLRequest {
        var request = URLRequest(url: URL(string: "https://example.org/login?lang=en")!)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode([user, password])
        return request
      }
      """))

  static func add(to set: inout CheckSet) {
    set.note(["percentEncodedQuery", "enhancedPercentEncodedQuery", "query", "url", "URL"])
    set.onScope { scope, pass in
      for string in scope.strings { query(string, scope, pass) }
    }
    set.onFile { file, pass in
      for variable in file.variables {
        guard let value = variable.value else { continue }
        query(value, pass.inspector.scope(of: variable, in: file, owner: nil), pass)
      }
    }
    set.onScope { scope, pass in
      for sum in scope.sums { appended(sum, scope, pass) }
    }
    set.onCall(["map", "compactMap", "flatMap"]) { call, scope, pass in
      guard let items = call.receiver, let last = call.arguments.last?.value,
        case .closure = last.kind,
        let item = scope.calls.first(where: {
          $0.name == "URLQueryItem" && last.range.contains($0.expression.range.lowerBound)
        }),
        let entries = pass.inspector.dictionary(items, in: scope),
        let name = entries.keys.sorted().first(where: {
          $0.last != "s" && kind($0)?.isSecret == true
        }), let found = kind(name)
      else { return }
      report(
        found, name, value: entries[name]?.value, item.expression,
        entries[name].map { pass.secrets(in: $0.value, $0.scope) } ?? [], scope, pass)
    }
    set.onCall(["URLQueryItem", "queryItemWithName", "init"]) { call, scope, pass in
      guard let key = call["name"] ?? (call.name == "init" ? nil : call[0]),
        let value = call["value"], call.name != "init" || isItem(call, scope),
        !pass.inspector.isEmpty(value), !makesOneTimePasswords(scope, pass),
        !makesBody(scope, pass),
        !isForBody(scope, pass), !isOfPost(scope)
      else { return }
      guard let name = pass.inspector.constant(key, in: scope)?.text else {
        for given in pass.inspector.callers(giving: value, under: key, in: scope)
        where given.sensitivity.isSecret {
          pass.report(
            .sensitiveInURL, given.through(scope, call.expression), at: given.place,
            in: given.scope, severity: Rulebook.severity(of: .sensitiveInURL),
            "# is part of a URL, which caches, logs and servers keep")
        }
        return
      }
      guard let found = kind(name), found.isSecret, name.last != "s" else { return }
      report(
        found, name, value: value, call.expression, pass.secrets(in: value, scope), scope, pass)
    }
    URLParameterChecks.add(to: &set)
  }

  /// Returns true if `.init(name: "x", value: y)` is an item of a query.
  private static func isItem(_ call: Scope.Call, _ scope: Scope) -> Bool {
    guard case .member(nil, _)? = call.callee?.kind else { return false }
    let place = call.expression.range.lowerBound
    return scope.calls.contains { $0["queryItems"]?.range.contains(place) == true }
      || scope.assignments.contains {
        $0.name.hasSuffix("ueryItems") && $0.value.range.contains(place)
      }
  }

  /// Returns the kind of a parameter, unless it is the key of an API. Such a key identifies the app
  /// and is the same for everybody, so the finding is that it is in the code.
  static func kind(_ name: String) -> SensitiveKind? {
    let words = Words.split(name).suffix(2)
    let isKeyOfApp =
      words.last == "key" && ["api", "access", "subscription", "app"].contains(words.first)
      || words.last == "apikey"
    // A session without further words is also one of playing a film, for example.
    return isKeyOfApp || words.elementsEqual(["session"]) ? nil : SensitiveKind.ofKey(name)
  }

  /// Checks a concatenation: `base + "?token=" + value`.
  private static func appended(_ sum: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .binary(let left, _, let value) = sum.kind, value.literal == nil,
      !pass.inspector.isEmpty(value)
    else { return }
    let before: Expression =
      if case .binary(_, "+", let last) = left.kind { last } else { left }
    guard let text = before.literal, text.last == "=",
      let start = text.lastIndex(where: { $0 == "?" || $0 == "&" })
    else { return }
    if text[start] == "&", fillsBody(scope) { return }
    let name = String(text[text.index(after: start)...].dropLast())
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }),
      name.last != "s", !isDrawn(sum, scope), let found = kind(name), found.isSecret
    else { return }
    pass.silently(pass.isStandIn(sum, scope)) {
      report(found, name, value: value, before, pass.secrets(in: value, scope), scope, pass)
    }
  }

  /// Returns true if an expression becomes a QR code.
  private static func isDrawn(_ expression: Expression, _ scope: Scope) -> Bool {
    scope.calls.contains {
      $0.callee?.written.contains("QR") == true
        && $0.expression.range.contains(expression.range.lowerBound)
    }
  }

  /// Returns true if the scope makes an `otpauth` URL, in which authenticators store the secret of
  /// one-time passwords. Such a URL is not sent to a server.
  private static func makesOneTimePasswords(_ scope: Scope, _ pass: Pass) -> Bool {
    scope.assignments.contains {
      $0.name == "scheme" && pass.inspector.constant($0.value, in: scope)?.text == "otpauth"
    }
  }

  /// Returns true if a string has spaces, as an explanation with an example of a URL has.
  private static func isProse(_ pieces: [StringPiece]) -> Bool {
    pieces.contains { if case .text(let text) = $0 { text.contains(" ") } else { false } }
  }

  /// Returns true if a string begins with a parameter, as the body of a form does:
  /// `user=\\(user)&password=\\(password)`.
  private static func isForm(_ pieces: [StringPiece]) -> Bool {
    guard case .text(let text)? = pieces.first else { return false }
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    return !name.isEmpty && text.dropFirst(name.count).first == "="
  }

  /// Returns true if the scope makes the body of a form from URL components, and no URL.
  private static func makesBody(_ scope: Scope, _ pass: Pass) -> Bool {
    let makesURL = ["url", "URL"].contains { name in
      scope.mentions[name]?.contains { mention in
        guard case .member(let base, _) = mention.kind else { return false }
        return base.map { isComponents($0, scope, pass) } ?? true
      } == true
    }
    return !makesURL
      && (["percentEncodedQuery", "enhancedPercentEncodedQuery", "query"].contains {
        scope.mentions[$0] != nil
      } || scope.calls.contains { $0.name == "body" || $0["body"] != nil || $0["httpBody"] != nil })
  }

  /// Returns true if an expression can be the components of a URL, and is no response that has one too.
  private static func isComponents(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    if let type = pass.inspector.type(of: value, in: scope).map(TypeName.plain) {
      return ["URLComponents", "NSURLComponents"].contains(type)
    }
    return !["response", "request", "resp", "req", "res"].contains(
      Words.split(value.lastName ?? "").last ?? "")
  }

  /// Returns true if a function or a property only makes parameters, and nothing shows that they go
  /// into a URL.
  private static func isForBody(_ scope: Scope, _ pass: Pass) -> Bool {
    guard let function = scope.function else { return false }
    let result =
      function.name == "get" ? pass.inspector.property(readIn: scope)?.type : function.result
    // `static func token(_ token: String) -> Self` in an extension of URLQueryItem
    let isItem =
      result?.contains("URLQueryItem") == true || result == "Self" && scope.owner == "URLQueryItem"
    guard isItem, !makesURL(scope) else { return false }
    let calls = pass.project.calls[function.name] ?? []
    return !calls.prefix(20).contains { makesURL($0.scope) && !makesBody($0.scope, pass) }
  }

  /// Returns true if a function sets the body of a request. What it appends to a text is a form.
  private static func fillsBody(_ scope: Scope) -> Bool {
    scope.assignments.contains { ["httpBody", "HTTPBody"].contains($0.name) }
      || scope.calls.contains { $0.name == "setHTTPBody" || $0["httpBody"] != nil }
  }

  /// Returns true if a scope has the parts of a URL.
  private static func makesURL(_ scope: Scope) -> Bool {
    scope.calls.contains {
      $0.name == "URLComponents" || $0["queryItems"] != nil || $0["resolvingAgainstBaseURL"] != nil
        || $0.name.lowercased().contains("queryitems")
    } || scope.assignments.contains { $0.name.lowercased().hasSuffix("queryitems") }
      || ["url", "URL"].contains { scope.mentions[$0] != nil }
  }

  /// Returns true if the parameters are those of a request whose method is POST, of which the
  /// project's own client makes a body: `Request(method: .post, params: items)`.
  private static func isOfPost(_ scope: Scope) -> Bool {
    !makesURL(scope)
      && scope.calls.contains { call in
        guard let method = call["method"] else { return false }
        return ["post", "put", "patch"].contains(
          (method.lastName ?? method.literal ?? "").lowercased())
      }
  }

  /// Checks the query of a URL in a string: `https://…?user=%@&password=%@`.
  private static func query(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .string(let pieces) = string.kind, string.firstText?.hasPrefix("otpauth:") != true,
      !isProse(pieces), !isForm(pieces)
    else { return }
    pass.silently(pass.isStandIn(string, scope)) { query(pieces, string, scope, pass) }
  }

  /// Returns true for an address by which one screen or app opens another. No server and no cache gets it.
  private static func staysOnDevice(_ string: Expression) -> Bool {
    guard let text = string.firstText, let end = text.firstRange(of: "://") else { return false }
    let scheme = text[..<end.lowerBound].lowercased()
    return !scheme.isEmpty
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || ["+", "-", "."].contains($0) }
      && !["http", "https", "ws", "wss", "ftp"].contains(scheme)
  }

  private static func query(
    _ pieces: [StringPiece], _ string: Expression, _ scope: Scope, _ pass: Pass
  ) {
    let severity: Severity? = staysOnDevice(string) ? .low : nil
    var isQuery = false
    var before: String?
    for piece in pieces {
      switch piece {
      case .text(let text):
        before = nil
        guard text.utf8.contains(0x3D) else { continue }
        if text.contains("?") || text.hasPrefix("&") && !fillsBody(scope) { isQuery = true }
        guard isQuery else { continue }
        let parameters = text.split { $0 == "?" || $0 == "&" }
        for (index, parameter) in parameters.enumerated() {
          guard let equals = parameter.firstIndex(of: "=") else { continue }
          let name = String(parameter[..<equals])
          let value = parameter[parameter.index(after: equals)...]
          guard name.utf8.count < 40,
            name.allSatisfy({ $0.isLetter || $0 == "_" || $0 == "-" || $0.isNumber })
          else { continue }
          if index == parameters.count - 1, value.isEmpty { before = name }
          // `?access_token={apikey}` is filled in with a key of the app.
          if value.first == "{", kind(String(value.dropFirst().prefix { $0 != "}" })) == nil {
            continue
          }
          if let found = kind(name), found.isSecret, !value.isEmpty, name.last != "s" {
            report(
              found, name, value: nil, string, secrets(of: string, pieces, scope), scope, pass,
              severity: severity)
            return
          }
        }
      case .value(let arguments):
        if let name = before, name.last != "s", let found = kind(name), found.isSecret {
          let value = arguments.first.map { pass.secrets(in: $0.value, scope) } ?? []
          report(
            found, name, value: arguments.first?.value, string,
            secrets(of: string, pieces, scope) + value, scope, pass, severity: severity)
          return
        }
        before = nil
      }
    }
  }

  /// Returns the secrets among the parameters in a string: those whose name is that of a secret and
  /// whose value is written out, such as `?token=…`.
  private static func secrets(
    of string: Expression, _ pieces: [StringPiece], _ scope: Scope
  ) -> [Finding.Secret] {
    let values = pieces.flatMap { piece -> [String] in
      guard case .text(let text) = piece else { return [] }
      return text.split { $0 == "?" || $0 == "&" || $0 == "#" }.compactMap { parameter in
        guard let equals = parameter.firstIndex(of: "="),
          SensitiveKind.ofKey(String(parameter[..<equals]))?.isSecret == true
        else { return nil }
        let value = String(parameter[parameter.index(after: equals)...])
        return value.isEmpty || isFormat(value) ? nil : value
      }
    }
    return values.isEmpty ? [] : scope.file.secrets(in: string, parts: values)
  }

  /// Returns true if a value is to be inserted, such as `%@`, and not a percent-encoded text.
  private static func isFormat(_ value: String) -> Bool {
    value.first == "%"
      && (value.utf8.count < 3 || !value.dropFirst().prefix(2).allSatisfy(\.isHexDigit))
  }

  /// Reports a parameter of a URL. A parameter with several meanings needs a value that the code uses
  /// as a secret, or whose form shows that it is one.
  static func report(
    _ found: SensitiveKind, _ name: String, value: Expression?, _ place: Expression,
    _ secrets: [Finding.Secret], _ scope: Scope, _ pass: Pass, severity: Severity? = nil
  ) {
    let own = value.flatMap { pass.inspector.sensitivity(of: $0, in: scope) }
      .flatMap { pass.inspector.weigh($0, in: scope) }
    let text = secrets.first.map { String(decoding: $0.value, as: UTF8.self) } ?? ""
    let isSpeaking = Literal.known(text) != nil || Literal.form(of: text) == .random
    guard !WeakNames.contains(name) || isSpeaking || own != nil else {
      pass.conceal(secrets)
      return
    }
    // What the code has for everybody is told where it is written.
    let isFixed =
      value.map { pass.inspector.constant($0, in: scope)?.text?.isEmpty == false } ?? false
    let isLow = isFixed || Pass.isOfMoment(name) || Pass.isOfApp(name)
    pass.report(
      .sensitiveInURL, at: place.range, in: scope.file,
      severity: min(
        pass.highest(in: scope),
        isLow ? .low : severity ?? Rulebook.severity(of: .sensitiveInURL)),
      "\(found.noun) (\(name)) is part of a URL, which caches, logs and servers keep",
      secrets: secrets,
      basis: Basis(
        own?.basis.tier == .proved ? .proved : .witnessed, witnesses: own?.basis.witnesses ?? [],
        cause: scope.function.map { "\(scope.file.path) \(scope.owner ?? "") \($0.nameOffset)" }))
  }
}
