import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of secrets that packages for requests put into a URL, and of secrets in parts of a URL
/// other than its query.
enum URLParameterChecks {
  static func add(to set: inout CheckSet) {
    // `AF.request(url, parameters: ["token": token])` is a GET with a query.
    set.onCall(["request", "download"]) { call, scope, pass in
      guard let parameters = call["parameters"], isAlamofire(call, scope) else { return }
      let method = call["method"]?.lastName ?? "get"
      let encoding = (call["encoding"] ?? call["encoder"])?.written ?? "URLEncoding.default"
      let isInQuery =
        encoding.contains("queryString") || encoding.contains("Query")
        || ["get", "head", "delete"].contains(method.lowercased())
          && encoding.hasPrefix("URLEncod")
      if isInQuery { entries(parameters, at: call, scope, pass) }
    }
    // `.requestParameters(parameters: ["token": token], encoding: URLEncoding.queryString)`
    set.onCall(["requestParameters"]) { call, scope, pass in
      guard let parameters = call["parameters"], let encoding = call["encoding"],
        encoding.written.hasSuffix(".queryString")
      else { return }
      entries(parameters, at: call, scope, pass)
    }
    // `[manager GET:@"/login" parameters:@{@"password": password} …]`
    set.onCall(["GET", "HEAD", "DELETE", "get"]) { call, scope, pass in
      guard let receiver = call.receiver, let parameters = call["parameters"],
        call.name != "get" || (receiver.lastName ?? "").lowercased().hasSuffix("manager")
      else { return }
      entries(parameters, at: call, scope, pass)
    }
    set.onScope { scope, pass in
      for string in scope.strings { login(string, scope, pass) }
      for sum in scope.sums { joined(sum, scope, pass) }
    }
  }

  private static func isAlamofire(_ call: Scope.Call, _ scope: Scope) -> Bool {
    guard scope.file.imports.contains("Alamofire"), let receiver = call.receiver else {
      return false
    }
    let name = (receiver.lastName ?? "").lowercased()
    return name == "af" || name == "alamofire" || name.contains("session")
      || name.contains("manager")
  }

  private static func entries(
    _ parameters: Expression, at call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    guard let facts = pass.inspector.dictionary(parameters, in: scope) else { return }
    for key in facts.keys.sorted() where key.last != "s" {
      guard let found = SensitiveInURL.kind(key), found.isSecret, let entry = facts[key],
        !pass.inspector.isEmpty(entry.value)
      else { continue }
      SensitiveInURL.report(
        found, key, value: entry.value, call.expression,
        pass.secrets(in: entry.value, entry.scope), scope, pass)
      return
    }
  }

  /// Checks a URL with a name and a password before its host: `rtsp://\(user):\(password)@\(host)`.
  private static func login(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .string(let pieces) = string.kind else { return }
    var isAuthority = false
    var isLoaded = false
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text):
        if let end = text.firstRange(of: "://") {
          // Nothing loads an address of the app's own scheme.
          let scheme = text[..<end.lowerBound].reversed().prefix { $0.isLetter || $0.isNumber }
          isLoaded = scheme.elementsEqual("ptth") || scheme.elementsEqual("sptth")
          isAuthority =
            schemes.contains(String(scheme.reversed()).lowercased())
            && text.utf8.count { $0 == UInt8(ascii: "/") } == 2
        } else if text.contains("/") || text.contains("@") {
          isAuthority = false
        }
      case .value(let arguments):
        guard isAuthority, index + 1 < pieces.count, case .text(let after) = pieces[index + 1],
          after.hasPrefix("@"), let value = arguments.first?.value,
          let found = pass.inspector.sensitivity(of: value, in: scope), found.sensitivity.isSecret
        else { continue }
        SensitiveInURL.report(
          found.sensitivity, value.written, value: value, string, pass.secrets(in: value, scope),
          scope, pass,
          // The loader makes a header of it, so servers do not log it.
          severity: isLoaded ? .low : nil)
        return
      }
    }
  }

  private static let schemes: Set<String> = [
    "http", "https", "ws", "wss", "ftp", "ftps", "sftp", "rtsp", "rtmp", "smb", "mqtt", "socks5",
    "",
  ]

  /// Checks pairs that are joined to the query of a URL: `"https://x?" + ["pin=\(pin)"].joined(…)`.
  private static func joined(_ sum: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .binary(let left, _, let right) = sum.kind else { return }
    let before: Expression =
      if case .binary(_, "+", let last) = left.kind { last } else { left }
    guard before.literal?.hasSuffix("?") == true,
      case .call(let callee, let arguments) = right.kind,
      arguments.first?.value.literal == "&", case .member(let list?, "joined") = callee.kind,
      case .array(let pairs) = list.kind
    else { return }
    for pair in pairs {
      guard case .string(let pieces) = pair.kind, case .text(let text)? = pieces.first,
        pieces.count > 1, text.hasSuffix("=")
      else { continue }
      let name = String(text.dropLast())
      guard name.last != "s", let found = SensitiveInURL.kind(name), found.isSecret else {
        continue
      }
      let values: [Expression] =
        if case .value(let arguments) = pieces[1] { arguments.map(\.value) } else { [] }
      SensitiveInURL.report(
        found, name, value: values.first, sum, values.flatMap { pass.secrets(in: $0, scope) },
        scope, pass)
      return
    }
  }
}
