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
      // A cache that passes a response on to itself keeps nothing yet.
      if call.receiver?.written == "self" { return }
      // A function of the project's own says where it keeps the response.
      if pass.project.functions["storeCachedResponse"]?.contains(where: {
        $0.function.parameters.count == call.arguments.count
          && !pass.project.type($0.scope.owner ?? "", is: ["URLCache", "NSURLCache"])
      }) == true {
        return
      }
      if loadsPictures(scope)
        || Words.split(call.receiver?.written ?? "").contains(where: pictures.contains)
      {
        return
      }
      pass.report(
        .urlCache, at: call.expression, in: scope,
        "a server response is kept in Cache.db in the clear")
    }
    set.onProject(shared)
    set.note(["ephemeralSessionConfiguration", "ephemeral"])
    set.onMention(["defaultSessionConfiguration"]) { mention, scope, pass in
      authenticated(mention, scope, pass)
    }
    set.onMention(["default"]) { mention, scope, pass in
      if isConfiguration(mention, scope) { authenticated(mention, scope, pass) }
    }
  }

  private static func isConfiguration(_ mention: Expression, _ scope: Scope) -> Bool {
    guard case .member(let base, _) = mention.kind else { return false }
    return base == nil
      ? scope.calls.contains { $0.name == "URLSession" && $0["configuration"] === mention }
      : base?.lastName == "URLSessionConfiguration"
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
    if loadsPictures(scope) { return }
    // A file that is the same for everybody is kept like any other.
    let isPersonal = (pass.project.types[scope.owner ?? ""]?.declarations ?? []).contains {
      $0.type.functions.contains { function in
        pass.project.scope(of: function).map { authenticates($0, pass) } == true
      }
    }
    pass.report(
      .urlCache, at: place, in: scope,
      severity: isPersonal || authenticates(scope, pass) ? nil : .low,
      "the response is taken from the cache on disk, so it is kept there in the clear")
  }

  /// Returns true if a function loads pictures, which are the same for everybody.
  private static func loadsPictures(_ scope: Scope) -> Bool {
    let file = scope.file.path.split(separator: "/").last.map(String.init) ?? ""
    let names = [scope.function?.name ?? "", scope.owner ?? "", file] + scope.calls.map(\.name)
    return names.flatMap(Words.split).contains(where: pictures.contains)
  }

  private static let pictures: Set<String> = [
    "image", "images", "thumbnail", "thumbnails", "icon", "icons", "favicon", "avatar", "artwork",
    "poster",
  ]

  /// Returns true if a function sets a header that lets somebody in, of a request or of all requests.
  private static func sendsCredentials(_ scope: Scope, _ pass: Pass) -> Bool {
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
  }

  /// Reports a URLSession that sends credentials and keeps the responses.
  private static func authenticated(_ mention: Expression, _ scope: Scope, _ pass: Pass) {
    guard sendsCredentials(scope, pass), !sendsBody(scope), !loadsPictures(scope),
      !scope.assignments.contains(where: { $0.name == "urlCache" || $0.name == "URLCache" }),
      !pass.project.hasNull(for: ["urlCache", "URLCache"]),
      pass.project.calls["removeAllCachedResponses"] == nil
    else { return }
    pass.report(
      .urlCache, at: mention, in: scope,
      "this URLSession keeps responses to requests with credentials in Cache.db in the clear")
  }

  /// Reports the first use of the shared session, or of a shared cache on disk, by a project that
  /// sends credentials with it.
  private static func shared(_ pass: Pass) {
    let project = pass.project
    guard project.calls["removeAllCachedResponses"] == nil,
      !project.hasNull(for: ["urlCache", "URLCache"])
    else { return }
    let senders = project.scopes.joined().filter { authenticates($0, pass) }
    for scope in project.scopes.joined() {
      guard !senders.isEmpty, let place = cacheOnDisk(scope, pass) else { continue }
      pass.report(
        .urlCache, at: place, in: scope,
        "the shared cache keeps responses to requests with credentials on disk, in the clear")
      return
    }
    for scope in project.scopes.joined() {
      guard let call = scope.calls.first(where: { isAuthenticated($0, scope, pass) }) else {
        continue
      }
      pass.report(
        .urlCache, at: call.expression, in: scope,
        "the default session keeps responses to requests with credentials in Cache.db in the clear")
      return
    }
    for scope in senders {
      guard
        let call = sharedCall(in: scope),
        !scope.strings.contains(where: { $0.literal == "Cache-Control" }),
        !scope.assignments.contains(where: { $0.name == "cachePolicy" })
      else { continue }
      pass.report(
        .urlCache, at: call.expression, in: scope,
        "the shared URLSession keeps responses to requests with credentials in Cache.db in the "
          + "clear")
      return
    }
    managed(pass)
    personal(pass)
    if !senders.isEmpty { configured(pass) }
  }

  /// Reports the first session with a cache on the disk, by a project that sends credentials with some
  /// session.
  private static func configured(_ pass: Pass) {
    let project = pass.project
    let sessions = project.scopes.joined().lazy.flatMap { scope in
      (scope.mentions["default"] ?? []).filter { isConfiguration($0, scope) }.map { ($0, scope) }
    }
    guard let (mention, scope) = sessions.first(where: { !loadsPictures($1) }),
      !sessions.contains(where: { sendsCredentials($1, pass) }),
      !project.mentioned.contains("ephemeral"), !project.assigned.contains("cachePolicy"),
      !project.assigned.contains("requestCachePolicy"),
      !scope.assignments.contains(where: { $0.name == "urlCache" })
    else { return }
    pass.report(
      .urlCache, at: mention, in: scope, severity: .low,
      "the app sends credentials, and this URLSession keeps responses in Cache.db in the clear")
  }

  private static func sharedCall(in scope: Scope) -> Scope.Call? {
    scope.calls.first { call in
      ["data", "dataTask", "dataTaskWithRequest", "dataTaskPublisher"].contains(call.name)
        && call.receiver.map(isShared) == true
    }
  }

  /// Reports the first answer that the shared session gets and the code reads as a secret or as a
  /// person. The server can forbid that it is kept.
  private static func personal(_ pass: Pass) {
    for scope in pass.project.scopes.joined() {
      guard let call = sharedCall(in: scope), !sendsBody(scope), !loadsPictures(scope),
        !scope.assignments.contains(where: { $0.name == "cachePolicy" }),
        let found = scope.calls.lazy.filter({ $0.name == "decode" }).compactMap({ decoding in
          StorageChecks.record(of: decoding.expression, scope, pass)
        }).first
      else { continue }
      pass.report(
        .urlCache, found, at: call.expression, in: scope, severity: .low,
        "# is in a response that the shared URLSession keeps in Cache.db in the clear")
      return
    }
  }

  /// Reports the first header by which AFNetworking's manager lets somebody in, if the project sends a
  /// GET with a manager and nothing turns its cache off.
  private static func managed(_ pass: Pass) {
    let project = pass.project
    guard !(project.calls["GET"] ?? []).isEmpty, !project.assigned.contains("cachePolicy"),
      !project.mentioned.contains("ephemeralSessionConfiguration")
    else { return }
    for scope in project.scopes.joined() {
      guard
        let call = scope.calls.first(where: { call in
          guard call.receiver?.lastName == "requestSerializer" else { return false }
          if call.name.hasPrefix("setAuthorizationHeaderField") { return true }
          guard let header = call["forHTTPHeaderField"], let value = call[0],
            let name = pass.inspector.constant(header, in: scope)?.text
          else { return false }
          return isCredential(name) && pass.inspector.constant(value, in: scope) == nil
        })
      else { continue }
      pass.report(
        .urlCache, at: call.expression, in: scope,
        "AFNetworking's manager keeps responses to requests with credentials in Cache.db in the "
          + "clear")
      return
    }
  }

  /// Returns the place where a function makes the shared cache, if the cache is on the disk.
  private static func cacheOnDisk(_ scope: Scope, _ pass: Pass) -> Expression? {
    func isOnDisk(_ value: Expression) -> Bool {
      guard case .call(_, let arguments) = value.bare.kind,
        let capacity = arguments.first(where: { $0.label == "diskCapacity" })?.value
      else { return false }
      return pass.inspector.constant(capacity, in: scope)?.integer != 0
    }
    for assignment in scope.assignments
    where assignment.name == "shared" && assignment.target?.lastName == "URLCache" {
      if isOnDisk(assignment.value) { return assignment.expression }
    }
    for call in scope.calls where call.name == "setSharedURLCache" {
      guard let value = call[0] else { continue }
      if isOnDisk(value) { return call.expression }
      if case .name(let name) = value.bare.kind,
        scope.bindings[name]?.contains(where: { isOnDisk($0.value) }) == true
      {
        return call.expression
      }
    }
    return nil
  }

  /// Returns true for a request of Alamofire's default session that is a GET with a header which lets
  /// somebody in.
  private static func isAuthenticated(
    _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard call.name == "request", scope.file.imports.contains("Alamofire"),
      ["af", "alamofire"].contains((call.receiver?.lastName ?? "").lowercased()),
      let headers = call["headers"], ["get", nil].contains(call["method"]?.lastName),
      !loadsPictures(scope), let entries = pass.inspector.dictionary(headers, in: scope)
    else { return false }
    return entries.keys.contains { name in
      guard isCredential(name), let entry = entries[name] else { return false }
      return pass.inspector.constant(entry.value, in: entry.scope) == nil
    }
  }

  private static func isShared(_ session: Expression) -> Bool {
    guard case .member(let base?, let name) = session.bare.kind else {
      return session.written.hasPrefix("NSURLSession.sharedSession")
    }
    return name == "shared" && base.lastName == "URLSession"
  }

  /// Returns true if a function sets the header of a login.
  private static func authenticates(_ scope: Scope, _ pass: Pass) -> Bool {
    return !sendsBody(scope)
      && scope.calls.contains { call in
        guard let header = call["forHTTPHeaderField"],
          let name = pass.inspector.constant(header, in: scope)?.text, let value = call[0]
        else { return false }
        // What is the same for everybody opens nothing of anybody.
        return isCredential(name) && pass.inspector.constant(value, in: scope) == nil
      }
  }

  /// Returns true if a function makes a request other than GET. Answers to it are not cached.
  private static func sendsBody(_ scope: Scope) -> Bool {
    scope.assignments.contains {
      ["httpMethod", "HTTPMethod"].contains($0.name)
        && $0.value.literal.map { $0.uppercased() != "GET" } == true
        || ["httpBody", "HTTPBody"].contains($0.name) && !$0.value.isNull
    }
  }

  private static func isCredential(_ header: String) -> Bool {
    header.lowercased() == "authorization" || SensitiveKind.ofKey(header) == .token
  }
}
