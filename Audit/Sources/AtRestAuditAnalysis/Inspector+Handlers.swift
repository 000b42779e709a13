import AtRestAuditModel

extension Inspector {
  /// Returns the values that a parameter of a closure may stand for.
  package func values(
    of handler: Scope.Handler, _ index: Int, in scope: Scope
  ) -> [(value: Expression, scope: Scope)] {
    switch handler.taker {
    case .property(let name):
      // Whoever calls `onToken(x)` gives the closure x.
      let calls = project.calls[name] ?? []
      guard calls.count <= 8, project.functions[name] == nil else { return [] }
      return calls.compactMap { call, home in call[index].map { ($0, home) } }
    case .call(let call, let place):
      if let receiver = call.receiver, !Self.givesEnd(call, to: place),
        Self.giveReceiver.contains(call.name), index == (call.name == "reduce" ? 1 : 0)
      {
        return [(receiver, scope)]
      }
      if Self.giveArgument.contains(call.name), let first = call.arguments.first, place > 0 {
        return [(first.value, scope)]
      }
      return given(by: call, place, index, in: scope)
    }
  }

  /// Returns what the project's own functions give to a closure that they are called with.
  private func given(
    by call: Scope.Call, _ place: Int, _ index: Int, in scope: Scope
  ) -> [(value: Expression, scope: Scope)] {
    functions(for: call, in: scope).flatMap { declared -> [(value: Expression, scope: Scope)] in
      guard let parameter = Self.parameter(taking: place, of: call, in: declared.function) else {
        return []
      }
      return declared.scope.calls.filter {
        $0.name == parameter.name
          || $0.name == "callAsFunction"
            && $0.receiver?.lastName == parameter.name
      }.prefix(8).compactMap { given in
        given[index].map { ($0, declared.scope) }
      }
    }
  }

  /// Returns evidence if a function of the project names what it gives to a closure in the type of
  /// its parameter: `completion: (_ token: String) -> Void`.
  func named(_ handler: Scope.Handler, _ index: Int, in scope: Scope) -> Evidence? {
    guard case .call(let call, let place) = handler.taker else { return nil }
    for declared in functions(for: call, in: scope) {
      guard
        let type = Self.parameter(taking: place, of: call, in: declared.function)?.type,
        let field = TypeName.parameters(of: type).dropFirst(index).first,
        let colon = field.firstIndex(of: ":"),
        let name = field[..<colon].split(separator: " ").last.map(String.init),
        let found = SensitiveKind.ofName(name)
      else { continue }
      let written = String(field[field.index(after: colon)...].trimmingPrefix { $0 == " " })
      guard couldHold(written, named: name), isCredible(name, in: scope) else { continue }
      return Evidence(sensitivity: found, name: name, type: written)
    }
    return nil
  }

  /// Returns the type of a closure's parameter, or nil if it is unknown.
  func type(
    of handler: Scope.Handler, _ index: Int, in scope: Scope, depth: Int
  ) -> String? {
    if case .call(let call, let place) = handler.taker {
      if Self.givesEnd(call, to: place), project.functions[call.name] == nil { return "Error" }
      if let receiver = call.receiver, Self.giveReceiver.contains(call.name) {
        guard index == (call.name == "reduce" ? 1 : 0), !call.name.hasPrefix("with"),
          let type = type(of: receiver, in: scope, depth: depth + 1)
        else { return nil }
        return TypeName.element(type) ?? TypeName.output(type) ?? type
      }
      for declared in functions(for: call, in: scope) {
        guard
          let type = Self.parameter(taking: place, of: call, in: declared.function)?.type,
          let field = TypeName.parameters(of: type).dropFirst(index).first
        else { continue }
        let written = String(
          (field.split(separator: ":").last ?? field).trimmingPrefix { $0 == " " })
        // `insert(Account.self) { account in … }`
        if written.utf8.count < 3, project.types[written] == nil {
          for case .name(let name) in call.arguments.map(\.value.kind)
          where project.types[name] != nil {
            return name
          }
        }
        return written
      }
    }
    return values(of: handler, index, in: scope).lazy.compactMap {
      type(of: $0.value, in: $0.scope, depth: depth + 2)
    }.first
  }

  /// Returns the parameter that an argument of a call is passed for, or nil.
  private static func parameter(
    taking place: Int, of call: Scope.Call, in function: Function
  ) -> Parameter? {
    let argument = call.arguments[place]
    if let label = argument.label,
      let found = function.parameters.first(where: { $0.label == label })
    {
      return found
    }
    // A trailing closure has no label. It is passed for the last parameter that is a function.
    return function.parameters.last { $0.type?.contains("->") == true }
      ?? (function.parameters.last.flatMap { $0.type?.hasSuffix("Handler") == true ? $0 : nil })
  }

  /// Returns true if a closure gets what ended a stream, such as an error, and none of its elements.
  private static func givesEnd(_ call: Scope.Call, to place: Int) -> Bool {
    guard let label = call.arguments[place].label else {
      // `sink { completion in … } receiveValue: { … }`
      return call.name == "sink" && call["receiveValue"] != nil
        || handlersOfErrors.contains(call.name)
    }
    return label.hasSuffix("ompletion") || labelsOfErrors.contains(label)
  }

  private static let labelsOfErrors: Set<String> = [
    "onError", "onFailure", "onFailed", "failure", "afterError", "onCompleted", "onDisposed",
    "receiveCancel", "receiveSubscription", "receiveRequest",
  ]

  private static let handlersOfErrors: Set<String> = [
    "catch", "tryCatch", "catchError", "mapError", "retryWhen", "whenFailure", "flatMapError",
  ]

  /// Functions that call their closure with their receiver or with its elements.
  static let giveReceiver: Set<String> = [
    "map", "flatMap", "compactMap", "forEach", "filter", "reduce", "mapValues", "compactMapValues",
    "tryMap", "tryCompactMap", "sink", "then", "done", "subscribe", "drive", "bind", "tap",
    "onReceive", "receiveValue", "onNext", "flatMapLatest", "concatMap", "withCString", "withUTF8",
    "withUnsafeBytes", "withUnsafeBufferPointer", "withUnsafeMutableBytes",
    "withContiguousStorageIfAvailable", "also", "apply", "handleEvents", "onSuccess", "whenSuccess",
    "thenMap", "get", "observeNext", "startWithValues", "observeValues", "onValue",
  ]

  /// Functions that call their closure with their first argument.
  private static let giveArgument: Set<String> = [
    "withUnsafeBytes", "withUnsafePointer", "withExtendedLifetime", "onReceive", "onChange",
    "withUnsafeMutableBytes", "firstly",
  ]

  /// Calls that have the value that their closure returns.
  package static let giveResult: Set<String> = [
    "map", "flatMap", "compactMap", "mapValues", "compactMapValues", "tryMap", "tryCompactMap",
    "flatMapLatest", "concatMap", "thenMap", "withCString", "withUTF8", "withUnsafeBytes",
    "withUnsafeBufferPointer", "withUnsafePointer", "withContiguousStorageIfAvailable",
    "withExtendedLifetime", "sync", "withLock", "performAndWait", "autoreleasepool", "then", "Task",
    "run", "detached", "reduce", "Deferred", "firstly",
  ]

  /// Members that are the same stream or collection.
  package static let streams: Set<String> = [
    "eraseToAnyPublisher", "receive", "removeDuplicates", "debounce", "throttle", "delay",
    "dropFirst", "dropLast", "share", "replaceError", "replaceNil", "retry", "asObservable",
    "asDriver", "asSingle", "distinctUntilChanged", "observeOn", "subscribeOn", "observe",
    "publisher", "values", "lazy", "enumerated", "sorted", "shuffled", "handleEvents", "allObjects",
    "compacted", "catchErrorJustReturn", "setFailureType", "merging", "setOutputType", "allValues",
    "mergeMany", "prepend", "orEmpty",
  ]
}
