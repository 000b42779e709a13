import AtRestAuditModel

extension Scope {
  /// A closure whose parameters stand for values that are known from the code around it.
  package struct Handler {
    /// The code that is given the closure.
    enum Taker {
      /// A call, with the index of the argument that is the closure.
      case call(Call, index: Int)
      /// `model.onToken = { … }`, with the name of the property.
      case property(String)
    }

    let closure: Closure
    let range: Range<Int32>
    let taker: Taker

    /// The call that is given the closure, with the index of the argument, or nil.
    package var call: (call: Call, index: Int)? {
      if case .call(let call, let index) = taker { (call, index) } else { nil }
    }
  }

  /// Records the closures that a call is given.
  func noteHandlers(of call: Call) {
    for (index, argument) in call.arguments.enumerated() {
      note(argument.value, .call(call, index: index))
    }
  }

  /// Records a closure that is assigned to a property.
  func noteHandler(_ value: Expression, assignedTo target: Expression) {
    if case .member(_, let name) = target.kind { note(value, .property(name)) }
  }

  private func note(_ value: Expression, _ taker: Handler.Taker) {
    guard case .closure(let closure) = value.kind else { return }
    let handler = Handler(closure: closure, range: value.range, taker: taker)
    for name in closure.parameters.isEmpty ? ["$"] : closure.parameters {
      handlers[name, default: []].append(handler)
    }
  }

  /// Returns the innermost closure around a place that binds a name, with the index of the
  /// parameter, or nil if no closure binds it.
  func handler(binding name: String, at place: Expression) -> (handler: Handler, index: Int)? {
    guard !handlers.isEmpty else { return nil }
    let implicit = name.utf8.first == UInt8(ascii: "$") ? Int(name.dropFirst()) : nil
    let around = handlers[implicit == nil ? name : "$"]?.filter {
      $0.range.contains(place.range.lowerBound)
    }
    guard let handler = around?.min(by: { $0.range.count < $1.range.count }) else { return nil }
    return (implicit ?? handler.closure.parameters.firstIndex(of: name)).map { (handler, $0) }
  }

  /// Returns true if a name is that of a stream, whose subscribers get what is sent to it.
  static func isStream(_ name: String) -> Bool {
    guard let last = Words.split(name).last else { return false }
    return ["subject", "relay", "publisher", "stream", "signal"].contains(last)
  }
}

extension Scope.Call {
  /// The property that a publisher is assigned to, and the publisher: `publisher.assign(to: \.token,
  /// on: model)`, `publisher.assign(to: &$token)`.
  var publication: (target: Expression, value: Expression)? {
    guard name == "assign", let receiver, let target = self["to"] else { return nil }
    if case .prefix("&", let inner) = target.kind {
      guard let name = inner.lastName, name.hasPrefix("$") else { return nil }
      let base = Expression(.name("self"), inner.range)
      return (Expression(.member(base, String(name.dropFirst())), inner.range), receiver)
    }
    guard case .closure(let path) = target.kind, let base = self["on"],
      case .member(_, let name)? = path.body.results.first?.kind
    else { return nil }
    return (Expression(.member(base, name), target.range), receiver)
  }
}

extension Block {
  /// The values that a closure with this body may return.
  package var results: [Expression] {
    if statements.count == 1, case .expression(let value) = statements[0] { return [value] }
    return statements.flatMap { $0.results }
  }
}

extension Statement {
  fileprivate var results: [Expression] {
    switch self {
    case .returns(let value): value.map { [$0] } ?? []
    case .branch(_, let body, let otherwise): body.results + (otherwise?.results ?? [])
    case .loop(_, _, let body), .block(let body), .conditional(_, let body): body.results
    case .selection(_, let cases): cases.flatMap { $0.body.results }
    default: []
    }
  }
}
