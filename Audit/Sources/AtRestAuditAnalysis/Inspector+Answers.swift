import AtRestAuditModel

extension Inspector {
  /// Returns evidence if a parameter of a closure is the answer to a request that sends a password. Such
  /// an answer has the token of a session: `AF.request(url, parameters: ["password": password]).response
  /// { answer in … }`.
  func answer(
    to handler: Scope.Handler, _ index: Int, _ name: String, in scope: Scope, depth: Int
  ) -> Evidence? {
    guard case .call(let call, let place) = handler.taker, depth < Self.furthest - 4,
      Words.split(name).contains(where: Self.answers.contains),
      place < call.arguments.count
    else { return nil }
    // URLSession describes an answer apart from its data.
    if call.name.hasPrefix("dataTask"), index != 0 { return nil }
    guard let sent = passwordSent(by: call, in: scope, depth: depth) else { return nil }
    return Evidence(
      sensitivity: .token, name: "\(name), the answer to a login", source: .use, subject: name
    ).through(scope.location(of: sent.range), "is the answer to a request with a password")
  }

  private static let answers: Set<String> = [
    "response", "result", "json", "answer", "reply", "body", "payload", "data", "object", "value",
    "dict", "dictionary",
  ]

  /// Functions whose closure gets what a server answered.
  private static let senders: Set<String> = [
    "request", "post", "POST", "response", "responseJSON", "responseData", "responseString",
    "responseDecodable", "validate", "dataTask", "dataTaskWithRequest", "upload",
  ]

  /// Returns the argument with a password of a call, or of the calls before it in a chain.
  private func passwordSent(
    by call: Scope.Call, in scope: Scope, depth: Int
  ) -> Expression? {
    guard Self.senders.contains(call.name) else { return nil }
    var next: Scope.Call? = call
    for _ in 0..<5 {
      guard let current = next else { return nil }
      for argument in current.arguments {
        if case .closure = argument.value.kind { continue }
        guard Self.bodies.contains(argument.label ?? "") || current.name.hasPrefix("dataTask"),
          let found = sensitivity(of: argument.value, in: scope, depth: depth + 4)
            ?? sent(in: argument.value, scope),
          found.sensitivity == .credential,
          WeakNames.words(of: found.subject).contains(where: Self.passwords.contains)
        else { continue }
        return argument.value
      }
      guard case .call(let callee, let arguments)? = current.receiver?.bare.kind,
        let name = callee.lastName
      else { return nil }
      let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
      next = Scope.Call(
        expression: current.receiver ?? current.expression, name: name, receiver: receiver,
        arguments: arguments)
    }
    return nil
  }

  private static let bodies: Set<String> = ["parameters", "params", "body", "json", "data"]

  private static let passwords: Set<String> = ["password", "passwd", "passphrase", "pwd"]

  /// Returns the evidence of the body that a function gives to a request: `request.httpBody = body`.
  private func sent(in request: Expression, _ scope: Scope) -> Evidence? {
    guard let path = request.path else { return nil }
    for binding in scope.bindings[path] ?? [] {
      guard case .property(let name) = binding.part, name.lowercased() == "httpbody" else {
        continue
      }
      if let found = sensitivity(of: binding.value, in: scope) { return found }
    }
    return nil
  }
}
