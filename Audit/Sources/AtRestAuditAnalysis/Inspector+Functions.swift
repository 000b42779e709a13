import AtRestAuditModel

extension Inspector {
  /// Returns the functions of the project that a call may refer to, according to its labels and to
  /// the type of its receiver. The list is empty if there are too many.
  package func functions(
    for call: Scope.Call, in scope: Scope
  ) -> [ProjectFacts.DeclaredFunction] {
    guard let found = project.functions[call.name] else { return [] }
    let isOfValue = Self.isValue(call.receiver)
    let fitting = found.filter {
      $0.function.body != nil && !($0.function.isStatic && isOfValue)
        && Self.fits($0.function, call)
    }
    guard !fitting.isEmpty else { return [] }
    return effort.ask { chosen(among: fitting, for: call, in: scope) } ?? []
  }

  /// Returns true if a receiver is a variable, on which no static function can be called. The names
  /// of types begin with a capital letter.
  static func isValue(_ receiver: Expression?) -> Bool {
    guard case .name(let name)? = receiver?.kind, !["self", "super", "cls"].contains(name) else {
      return false
    }
    return name.first?.isLowercase == true
  }

  /// Returns true for a type of the standard library or of a framework, of which the project has no
  /// methods.
  private func isOfSystem(_ type: String) -> Bool {
    if project.types[type]?.declarations.contains(where: { $0.type.form != .extension }) == true {
      return false
    }
    return type.hasPrefix("[")
      || [
        "Set", "Array", "Dictionary", "String", "Data", "Substring", "URLSession", "FileManager",
        "UserDefaults", "NSMutableSet", "NSMutableArray", "NSMutableDictionary", "NSFileManager",
        "NSUserDefaults", "IndexSet", "UIApplication", "URLComponents", "URLRequest",
      ].contains(type)
  }

  private func chosen(
    among fitting: [ProjectFacts.DeclaredFunction], for call: Scope.Call, in scope: Scope
  ) -> [ProjectFacts.DeclaredFunction] {
    if fitting.count == 1 {
      guard let receiver = call.receiver, fitting[0].owner != nil,
        let type = type(of: receiver, in: scope).map(TypeName.plain), isOfSystem(type)
      else { return fitting }
      return fitting[0].owner == type ? fitting : []
    }
    let owner = call.receiver.map { type(of: $0, in: scope) } ?? scope.owner
    if let owner = owner.map(TypeName.plain) {
      for owners in [
        { [owner] }, { project.ancestors(of: owner) }, { project.descendants(of: owner) },
      ] {
        let owners = owners()
        let own = fitting.filter { $0.owner.map(owners.contains) == true }
        if !own.isEmpty { return few(own, near: scope.file) }
      }
      if call.receiver != nil, isOfSystem(owner) { return [] }
    }
    if call.receiver == nil {
      let free = fitting.filter { $0.owner == nil }
      if !free.isEmpty { return few(free, near: scope.file) }
    }
    return few(fitting, near: scope.file)
  }

  /// Returns the functions that are nearest to a file, or none if there are many.
  private func few(
    _ all: [ProjectFacts.DeclaredFunction], near file: SourceFile
  ) -> [ProjectFacts.DeclaredFunction] {
    guard all.count > 1 else { return all }
    let near = Nearness.nearest(all, to: file) { $0.scope.file }
    return near.count <= 4 ? near : []
  }

  /// Returns true if a call may have these arguments for the parameters of a function.
  private static func fits(_ function: Function, _ call: Scope.Call) -> Bool {
    var next = 0
    let parameters = function.parameters
    for (place, argument) in call.arguments.enumerated() {
      if case .closure = argument.value.kind, argument.label == nil {
        // A trailing closure stands for any parameter that is left.
        return next < parameters.count || place > 0 && parameters.last?.isVariadic == true
      }
      if next > 0, parameters[next - 1].isVariadic, argument.label == nil { continue }
      while next < parameters.count, parameters[next].label != argument.label {
        // Only a parameter with a default can be left out.
        guard parameters[next].value != nil || parameters[next].isVariadic else { return false }
        next += 1
      }
      guard next < parameters.count else { return false }
      next += 1
    }
    return parameters[min(next, parameters.count)...].allSatisfy {
      $0.value != nil || $0.isVariadic || $0.type == nil
    }
  }

  /// Returns the arguments of a call that enter what the called function returns.
  package func arguments(
    of call: Scope.Call, entering result: Expression, of declared: ProjectFacts.DeclaredFunction
  ) -> [Expression] {
    origins(of: result, in: declared.scope).flatMap { origin -> [Expression] in
      guard case .parameter(let index) = origin else { return [] }
      return Self.arguments(for: index, of: declared.function, in: call)
    }
  }

  /// Returns the arguments of a call, and its receiver, that enter what the called function returns.
  package func values(
    of call: Scope.Call, entering result: Expression, of declared: ProjectFacts.DeclaredFunction
  ) -> [Expression] {
    origins(of: result, in: declared.scope).flatMap { origin -> [Expression] in
      switch origin {
      case .parameter(let index): Self.arguments(for: index, of: declared.function, in: call)
      case .receiver: call.receiver.map { [$0] } ?? []
      case .property, .shown: []
      }
    }
  }

  /// Returns the arguments that a call passes for a parameter, of which a variadic one has several.
  static func arguments(
    for index: Int, of function: Function, in call: Scope.Call
  ) -> [Expression] {
    guard index < function.parameters.count else { return [] }
    let parameter = function.parameters[index]
    guard parameter.isVariadic else {
      return argument(for: index, of: function, in: call).map { [$0] } ?? []
    }
    let start = call.arguments.firstIndex { $0.label == parameter.label } ?? call.arguments.count
    let first =
      parameter.label == nil
      ? start + function.parameters[..<index].count { $0.label == nil } : start
    guard first < call.arguments.count else { return [] }
    let rest = call.arguments[(first + 1)...].prefix { $0.label == nil }
    return [call.arguments[first].value] + rest.map(\.value)
  }

  /// Returns true if a call refers to this function and to no other.
  func means(_ call: Scope.Call, _ function: Function, in scope: Scope) -> Bool {
    if function.name == "init" {
      let own = (project.methods[call.name]?["init"] ?? []).filter { Self.fits($0.function, call) }
      return own.count <= 2 && own.contains { $0.function === function }
    }
    // `.copy(key)` is a case of an enum, or a static function.
    if case .member(nil, _)? = call.callee?.kind, !function.isStatic { return false }
    let declared = functions(for: call, in: scope)
    // A protocol with several types that conform to it means any of them.
    return declared.count <= 3 && declared.contains { $0.function === function }
      && (declared.count == 1 || call.receiver.flatMap { type(of: $0, in: scope) } != nil)
  }
}
