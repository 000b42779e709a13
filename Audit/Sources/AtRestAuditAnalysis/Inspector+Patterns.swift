import AtRestAuditModel

/// The parts of values that patterns bind: elements of tuples, and values in cases of enums.
extension Inspector {
  /// A value with the code that it belongs to.
  package typealias Placed = (value: Expression, scope: Scope)

  /// Returns the values that a binding gives to its name. The list is empty if the name is a part of a
  /// value that cannot be told from the others.
  package func values(
    of binding: Scope.Binding, in scope: Scope, depth: Int = 0
  ) -> [Placed] {
    guard case .pieces(let pieces) = binding.part else { return [(binding.value, scope)] }
    return parts(pieces[...], of: binding.value, in: scope, depth: depth)
  }

  /// Returns the values that a part of a value may be.
  func parts(
    _ pieces: ArraySlice<Piece>, of value: Expression, in scope: Scope, depth: Int = 0
  ) -> [Placed] {
    guard depth < 6 else { return [] }
    return effort.ask { findParts(pieces, of: value, in: scope, depth: depth) } ?? []
  }

  private func findParts(
    _ pieces: ArraySlice<Piece>, of value: Expression, in scope: Scope, depth: Int
  ) -> [Placed] {
    switch pieces.first {
    case nil: return [(value, scope)]
    case .payload(of: let name, at: _, among: let count)?:
      // A failure holds nothing of what a success brings. One name stands for all that a case holds.
      guard name != "failure", count == 1 else { return [] }
      return parts(pieces.dropFirst(), of: value, in: scope, depth: depth + 1)
    case .element(let index)?:
      return elements(index, of: value, in: scope, depth: depth).flatMap {
        parts(pieces.dropFirst(), of: $0.value, in: $0.scope, depth: depth + 1)
      }
    }
  }

  private func elements(
    _ index: Int, of value: Expression, in scope: Scope, depth: Int
  ) -> [Placed] {
    func all(_ values: [Placed]) -> [Placed] {
      values.prefix(4).flatMap {
        parts([.element(index)], of: $0.value, in: $0.scope, depth: depth + 1)
      }
    }
    switch value.bare.kind {
    case .tuple(let arguments):
      return index < arguments.count ? [(arguments[index].value, scope)] : []
    case .name(let name):
      guard case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: value.bare)
      else { return all(results(of: value, in: scope)) }
      return bindings.reversed().flatMap { binding -> [Placed] in
        if case .some = binding.part {
          return elements(index, ofEach: binding.value, in: home, depth: depth)
        }
        return all(values(of: binding, in: home, depth: depth + 1))
      }
    case .member: return all(results(of: value, in: scope))
    case .choice(_, let values): return all(values.map { ($0, scope) })
    case .binary(let left, "??", let right): return all([(left, scope), (right, scope)])
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return [] }
      let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
      let call = Scope.Call(
        expression: value.bare, name: name, receiver: receiver, arguments: arguments)
      let declared = functions(for: call, in: scope)
      // Functions of frameworks return what was asked for first: `(data, response)`.
      if declared.isEmpty, project.functions[name] == nil {
        return index == 0 ? [(value, scope)] : []
      }
      return declared.flatMap { function in
        all(function.scope.returns.map { ($0, function.scope) }).flatMap { part -> [Placed] in
          guard part.scope === function.scope else { return [part] }
          return [part]
            + self.arguments(of: call, entering: part.value, of: function).map { ($0, scope) }
        }
      }
    default: return []
    }
  }

  /// Returns the values that a part of each element of a sequence may be. A sequence stands for its
  /// elements, and a dictionary for its values.
  private func elements(
    _ index: Int, ofEach sequence: Expression, in scope: Scope, depth: Int
  ) -> [Placed] {
    guard depth < 6 else { return [] }
    func all(_ values: [Placed]) -> [Placed] {
      values.prefix(4).flatMap { elements(index, ofEach: $0.value, in: $0.scope, depth: depth + 1) }
    }
    let whole = index == 1 ? [(value: sequence, scope: scope)] : []
    switch sequence.bare.kind {
    case .array(let elements):
      return elements.prefix(8).flatMap {
        parts([.element(index)], of: $0, in: scope, depth: depth + 1)
      }
    case .call(let callee, let arguments):
      switch callee.lastName {
      case "enumerated":
        if index == 1, case .member(let base?, _) = callee.kind { return [(base, scope)] }
        return []
      case "zip": return index < arguments.count ? [(arguments[index].value, scope)] : []
      default: return whole
      }
    case .name(let name):
      guard case .local(let bindings, _, let home) = meaning(of: name, in: scope, at: sequence.bare)
      else {
        let values = results(of: sequence, in: scope)
        return values.isEmpty ? whole : all(values)
      }
      return bindings.flatMap { binding -> [Placed] in
        switch binding.part {
        case .whole: all([(binding.value, home)])
        case .some: parts([.element(index)], of: binding.value, in: home, depth: depth + 1)
        case .element: index == 1 ? [(binding.value, home)] : []
        default: []
        }
      }
    default: return whole
    }
  }

  /// Returns the evidence that a name for a part of a value is sensitive: what the type calls the part,
  /// or what the part is.
  func sensitivity(
    _ pieces: [Piece], of value: Expression, in scope: Scope, depth: Int
  ) -> Evidence? {
    if let field = field(pieces, of: value, in: scope) {
      if let type = field.type, isSilent(type) { return nil }
      if let label = field.label, let found = SensitiveKind.ofName(label),
        field.type.map({ couldHold($0, named: label) }) ?? true,
        isCredible(label, owner: field.owner, in: scope)
      {
        return Evidence(sensitivity: found, name: label, owner: field.owner, type: field.type)
      }
    }
    return parts(pieces[...], of: value, in: scope).lazy.compactMap { part in
      let found = sensitivity(of: part.value, in: part.scope, depth: depth + 1)
      guard part.scope !== scope else { return found }
      return found?.through(part.scope.location(of: part.value.range), "is a part of a result")
    }.first
  }

  // MARK: Types

  /// A part of a value, according to the type of the whole.
  struct Field {
    var label: String?
    let type: String?
    var owner: String?
  }

  /// Returns the type of a part of a value, or nil if it is unknown.
  func type(_ pieces: [Piece], of value: Expression, in scope: Scope, depth: Int) -> String? {
    if let field = field(pieces, of: value, in: scope, depth: depth) { return field.type }
    guard case .element? = pieces.first else { return nil }
    return parts(pieces[...], of: value, in: scope).lazy.compactMap {
      $0.value === value ? nil : type(of: $0.value, in: $0.scope, depth: depth + 2)
    }.first
  }

  private func field(
    _ pieces: [Piece], of value: Expression, in scope: Scope, depth: Int = 0
  ) -> Field? {
    guard !pieces.isEmpty, depth < 6 else { return nil }
    var found = Field(type: type(of: value, in: scope, depth: depth + 1))
    if found.type == nil, case .element? = pieces.first,
      let element = typeOfElements(of: value, in: scope, depth: depth)
    {
      found = Field(type: element)
    }
    for piece in pieces {
      guard let type = found.type, let inner = field(piece, of: type, near: scope.file) else {
        return nil
      }
      found = inner
    }
    return found
  }

  /// Returns the type of the elements over which a loop goes, as a tuple, for the value that the pattern
  /// of the loop stands for.
  private func typeOfElements(of value: Expression, in scope: Scope, depth: Int) -> String? {
    guard case .name(let name) = value.kind, let last = scope.bindings[name]?.last,
      case .some = last.part
    else { return nil }
    let sequence = last.value
    if case .call(let callee, _) = sequence.bare.kind, callee.lastName == "enumerated",
      case .member(let base?, _) = callee.kind
    {
      let element = type(of: base, in: scope, depth: depth + 2).flatMap(TypeName.element)
      return element.map { "(Int, \($0))" }
    }
    guard let type = type(of: sequence, in: scope, depth: depth + 2) else { return nil }
    return TypeName.pair(type)
  }

  private func field(_ piece: Piece, of type: String, near file: SourceFile) -> Field? {
    switch piece {
    case .element(let index):
      let fields = TypeName.fields(of: type)
      guard index < fields.count else { return nil }
      return Field(label: fields[index].label, type: fields[index].type)
    case .payload(of: let name, at: let index, among: let count):
      if name == "some" { return Field(type: type) }
      if let known = project.property(name, of: type, near: file) {
        let payload = known.variable.payload
        guard payload.count == count, index < count else { return nil }
        return Field(
          label: payload[index].label, type: payload[index].type, owner: TypeName.plain(type))
      }
      return name == "success" ? TypeName.output(type).map { Field(type: $0) } : nil
    }
  }
}
