import AtRestAuditAnalysis
import AtRestAuditModel

/// Logs of all that a server answers to a request, and of all that requests carry.
///
/// The whole says nothing of what it has. The code shows it where it decodes the same reply into a type with a
/// token, or reads a token from it, or where the request is a login.
enum Replies {
  /// A reply or a part of it: its text, its data or an object that was parsed from it.
  private struct Reply {
    let root: Expression
    let scope: Scope
    /// True if a log shows the contents, and not only how many bytes there are.
    let isText: Bool
  }

  /// Returns the evidence that a value in a log is the whole reply to a request, or all that a request
  /// carries, or nil.
  static func evidence(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Evidence? {
    if let found = sent(value, scope, pass) { return found }
    guard let reply = reply(value, scope, pass), reply.isText else { return nil }
    return contents(of: reply, pass) ?? login(reply, pass) ?? any(reply, pass)
  }

  // MARK: The reply

  private static func reply(
    _ value: Expression, _ scope: Scope, _ pass: Pass, isText: Bool = false, depth: Int = 0
  ) -> Reply? {
    guard depth < 8 else { return nil }
    func inner(_ value: Expression?, _ isText: Bool) -> Reply? {
      value.flatMap { reply($0, scope, pass, isText: isText, depth: depth + 1) }
    }
    switch value.bare.kind {
    case .binary(let left, "??", _): return inner(left, isText)
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return nil }
      if Self.parsers.contains(name) { return inner(arguments.first?.value, true) }
      guard case .member(let base?, _) = callee.kind else { return nil }
      // `try await URLSession.shared.data(for: request)`
      if ["data", "upload"].contains(name), ["for", "from"].contains(arguments.first?.label) {
        return Reply(root: value.bare, scope: scope, isText: isText)
      }
      return shows(name) ? inner(base, true) : nil
    case .member(let base?, let name):
      if let found = inner(base, isText) {
        return Self.parts.contains(name)
          ? Reply(root: value.bare, scope: found.scope, isText: isText || name != "data")
          : shows(name) ? Reply(root: found.root, scope: found.scope, isText: true) : nil
      }
      return nil
    case .name(let name):
      switch pass.inspector.meaning(of: name, in: scope, at: value.bare) {
      case .local(let bindings, _, let home):
        return bindings.prefix(3).lazy.flatMap { pass.inspector.values(of: $0, in: home) }
          .compactMap {
            $0.value === value.bare
              ? nil : reply($0.value, $0.scope, pass, isText: isText, depth: depth + 1)
          }.first
      case .closure(let handler, let index, let home):
        guard let found = gives(handler, index, home) else { return nil }
        return Reply(root: value.bare, scope: home, isText: isText || found == .object)
      case .parameter(let parameter, let home):
        guard let type = parameter.type, isReply(type, home) else { return nil }
        return Reply(root: value.bare, scope: home, isText: true)
      default: return nil
      }
    default: return nil
    }
  }

  private enum Form { case data, object }

  /// Returns the form of the reply that a call gives to a closure, or nil if it gives it something else.
  private static func gives(_ handler: Scope.Handler, _ index: Int, _ scope: Scope) -> Form? {
    guard let (call, place) = handler.call else { return nil }
    let label = call.arguments[place].label
    if call.name.hasPrefix("dataTask"), call.arguments.count > 1 { return index == 0 ? .data : nil }
    if call.name.hasPrefix("sendAsynchronousRequest") { return index == 1 ? .data : nil }
    if Self.answers.contains(call.name), call.receiver != nil {
      return index == 0 ? ["response", "responseData"].contains(call.name) ? .data : .object : nil
    }
    // `manager.POST(path, parameters: …, success: { task, reply in … })`
    if label == "success", Self.methods.contains(call.name) { return index == 1 ? .object : nil }
    // `provider.request(.login) { result in … }`
    if call.name == "request", scope.file.imports.contains("Moya") {
      return index == 0 ? .data : nil
    }
    // `session.dataTaskPublisher(for: request).sink(receiveValue: { output in … })`
    guard ["sink", "map", "tryMap", "flatMap", "handleEvents"].contains(call.name),
      label == nil || label?.hasPrefix("receive") == true, label?.hasSuffix("ompletion") != true,
      index == 0, var base = call.receiver
    else { return nil }
    for _ in 0..<6 {
      guard case .call(let callee, _) = base.bare.kind, let name = callee.lastName else {
        return nil
      }
      if name == "dataTaskPublisher" { return .data }
      guard Inspector.streams.contains(name) || name == "subscribe",
        case .member(let next?, _) = callee.kind
      else { return nil }
      base = next
    }
    return nil
  }

  private static let answers: Set<String> = [
    "response", "responseData", "responseJSON", "responseString", "responseDecodable",
    "responseObject",
  ]

  private static let methods: Set<String> = ["GET", "POST", "PUT", "PATCH", "get", "post", "put"]

  /// Returns true for the types of replies of common libraries.
  private static func isReply(_ type: String, _ scope: Scope) -> Bool {
    let imports = scope.file.imports
    switch TypeName.plain(type) {
    case "DataResponse", "AFDataResponse", "DataDataResponse": return imports.contains("Alamofire")
    case "Response": return imports.contains("Moya")
    case "Result": return imports.contains("Moya") && type.contains("Response,")
    default: return false
    }
  }

  /// Functions that make a text or an object from data.
  private static let parsers: Set<String> = [
    "String", "NSString", "initWithData", "jsonObject", "JSONObjectWithData", "JSON",
    "NSJSONSerialization",
  ]

  /// Members of replies that are the reply in another form.
  private static let parts: Set<String> = ["data", "value", "result", "body", "object"]

  /// Returns true for a member that shows what it is called on: `prettyPrintedJSON`, `mapString()`.
  private static func shows(_ name: String) -> Bool {
    Words.split(name).contains { ["json", "string", "pretty", "description", "text"].contains($0) }
  }

  // MARK: What it has

  /// Returns the evidence that the code decodes the reply into a type with a secret, or reads one from it.
  private static func contents(of reply: Reply, _ pass: Pass) -> Evidence? {
    for call in reply.scope.calls where call.name == "decode" || call.name == "map" {
      guard let from = call["from"] ?? (call.name == "map" ? call.receiver : nil),
        let type = call[0]?.lastName, pass.project.types[type] != nil,
        let other = Self.reply(from, reply.scope, pass), isSame(other.root, reply.root),
        let found = StorageChecks.record(type, pass, isEncoded: false), found.sensitivity.isSecret
      else { continue }
      return Evidence(
        sensitivity: found.sensitivity, name: "the reply of a server, with \(found.name)",
        source: .use,
        subject: found.subject, owner: found.owner
      ).through(reply.scope.location(of: call.expression.range), "is decoded from the reply")
    }
    return reply.root.path.flatMap { pass.inspector.contents(of: $0, in: reply.scope) }
  }

  /// Returns true if two values are the same reply: `output.data` and `output`.
  private static func isSame(_ first: Expression, _ second: Expression) -> Bool {
    let one = first.written
    let other = second.written
    return one == other || one.hasPrefix(other + ".") || other.hasPrefix(one + ".")
  }

  /// Returns the evidence that the reply is that of a login, according to the function and to the address
  /// or the names of the values that it sends.
  private static func login(_ reply: Reply, _ pass: Pass) -> Evidence? {
    guard let function = reply.scope.function, isLogin(function.name),
      pass.inspector.uses?.sendsToken == true,
      reply.scope.strings.contains(where: { $0.literal.map(isLogin) == true })
        || function.parameters.contains(where: {
          SensitiveKind.ofName($0.name) == .credential && !WeakNames.contains($0.name)
        })
    else { return nil }
    var found = Evidence(
      sensitivity: .token, name: "the reply to \(function.name)", source: .use,
      subject: function.name)
    found.cap = .medium
    return found
  }

  private static func isLogin(_ name: String) -> Bool {
    let words = Words.split(name)
    return words.contains { ["login", "signin", "signup", "authenticate", "oauth"].contains($0) }
      || zip(words, words.dropFirst()).contains {
        ["log in", "sign in", "sign up", "refresh token", "access token"].contains("\($0) \($1)")
      }
  }

  /// Returns weak evidence for any reply in an app whose requests carry a token: it has what the server
  /// knows of a person.
  private static func any(_ reply: Reply, _ pass: Pass) -> Evidence? {
    guard pass.inspector.uses?.sendsToken == true else { return nil }
    return Evidence(
      sensitivity: .personal, name: "the reply of a server", source: .type, subject: "reply")
  }

  // MARK: What requests carry

  /// Returns the evidence that a value is the body or the headers of any request that code is given, in an
  /// app whose requests carry a token.
  private static func sent(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Evidence? {
    guard pass.inspector.uses?.sendsToken == true, var part = part(of: value, scope, pass) else {
      return nil
    }
    let isHeader = part.lastName != "httpBody"
    guard case .member(let base?, _) = part.kind else { return nil }
    part = base.bare
    while case .member(let base?, let name) = part.kind, ["request", "urlRequest"].contains(name),
      !pass.inspector.isSelf(base)
    {
      part = base.bare
    }
    guard case .name(let name) = part.kind, scope.bindings[name] == nil,
      let function = scope.function,
      function.parameters.contains(where: { $0.name == name && isRequest($0.type) })
    else { return nil }
    var found = Evidence(
      sensitivity: .token, name: isHeader ? "the headers of requests" : "the body of requests",
      source: .use, subject: isHeader ? "headers" : "body")
    if !isHeader { found.cap = .medium }
    return found
  }

  /// Returns the body or the headers of a request that a value shows, or nil.
  private static func part(
    of value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Expression? {
    guard depth < 6 else { return nil }
    func inner(_ value: Expression) -> Expression? {
      part(of: value, scope, pass, depth: depth + 1)
    }
    switch value.bare.kind {
    case .member(_?, "httpBody") where depth > 0: return value.bare
    case .member(_?, "allHTTPHeaderFields"), .member(_?, "headers"): return value.bare
    case .member(let base?, let name): return shows(name) ? inner(base) : nil
    case .binary(let left, "??", _): return inner(left)
    case .call(let callee, let arguments):
      if callee.lastName.map(parsers.contains) == true {
        return arguments.first.flatMap { inner($0.value) }
      }
      guard case .member(let base?, let name) = callee.kind, shows(name) else { return nil }
      return inner(base)
    case .name(let name):
      guard
        case .local(let bindings, _, _) = pass.inspector.meaning(
          of: name, in: scope, at: value.bare),
        bindings.count == 1, case .whole = bindings[0].part, bindings[0].value !== value.bare
      else { return nil }
      return inner(bindings[0].value)
    default: return nil
    }
  }

  private static func isRequest(_ type: String?) -> Bool {
    ["URLRequest", "NSURLRequest", "Request", "DataRequest", "RequestType"].contains(
      type.map(TypeName.plain))
  }
}
