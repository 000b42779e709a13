import AtRestAuditModel

extension Inspector {
  /// Returns the evidence that a label or a text view shows a sensitive value, which code of its class gave
  /// it: `phraseLabel.text = mnemonic`.
  func sensitivity(shownIn view: Expression, in scope: Scope, depth: Int) -> Evidence? {
    guard depth < Self.furthest - 4, let name = shownName(of: view, in: scope) else { return nil }
    for (value, home) in values(shownIn: name, of: scope.owner) {
      if let found = sensitivity(of: value, in: home, depth: depth + 3) {
        return found.through(home.location(of: value.range), "is shown in \(name)")
      }
    }
    return nil
  }

  /// Returns the name of a property of the scope's type that is a label or a text view, or nil.
  func shownName(of view: Expression, in scope: Scope) -> String? {
    guard let name = view.path, case .property = meaning(of: name, in: scope, at: view),
      let type = type(of: view, in: scope).map(TypeName.plain),
      type.hasSuffix("Label") || type.hasSuffix("TextView")
    else { return nil }
    return name
  }

  /// Returns the values that the methods of a type give to a label or a text view. The list is empty if
  /// there are too many.
  func values(shownIn name: String, of owner: String?) -> [(value: Expression, scope: Scope)] {
    guard let owner, let methods = project.methods[owner] else { return [] }
    let found = methods.sorted { $0.key < $1.key }.flatMap(\.value).flatMap { declared in
      declared.scope.assignments.compactMap {
        assignment -> (value: Expression, scope: Scope)? in
        guard Self.fieldTexts.contains(assignment.name), let view = assignment.target,
          view.lastName == name
        else { return nil }
        // `let card = Card(); card.label.text = text` in a static function.
        if view.path == nil {
          guard case .member(let card?, _) = view.bare.kind,
            type(of: card, in: declared.scope).map(TypeName.plain) == owner
          else { return nil }
        }
        return (assignment.value, declared.scope)
      }
    }
    return found.count > 20 ? [] : found
  }
}
