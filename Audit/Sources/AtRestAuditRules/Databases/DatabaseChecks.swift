import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of sensitive values that are assigned to objects of Core Data and Realm.
enum DatabaseChecks {
  static func add(to set: inout CheckSet) {
    set.onScope { scope, pass in
      for assignment in scope.assignments {
        guard !pass.inspector.isEmpty(assignment.value),
          !pass.inspector.isFlag(assignment.value, in: scope),
          let type = assignment.target.map({ pass.inspector.type(of: $0, in: scope) })
            ?? owner(of: assignment.name, in: scope, pass)
        else { continue }
        if isManaged(type, near: scope.file, pass.project)
          || assignment.target == nil && isExtended(type, by: assignment.name, pass.project)
        {
          guard isAttribute(assignment.name, of: type, pass.project),
            // An integer that is called an identifier is a row of a table: `taxID`.
            SensitiveKind.ofKey(assignment.name) != .identity
              || !pass.project.resources.integers.contains(
                "\(TypeName.plain(type)).\(assignment.name)")
          else { continue }
          stored(
            assignment.name, assignment.value, .coreDataUnprotected,
            "is stored by Core Data in the clear",
            at: assignment.expression, scope, pass)
          filed(assignment, scope, pass)
        } else if assignment.target != nil, pass.project.type(type, is: realmTypes),
          pass.project.importsRealm
        {
          guard !isRealmEncrypted(pass.project),
            pass.project.declarations(of: type, near: scope.file).allSatisfy({ $0.form == .class })
          else { continue }
          stored(
            assignment.name, assignment.value, .realmUnencrypted, "is stored by Realm in the clear",
            at: assignment.expression, scope, pass)
        }
      }
    }
  }

  /// Returns true if a method of a type sets its own property, and the property is an attribute of
  /// the entity with this name. A struct of another module may have the name, too.
  private static func isExtended(
    _ type: String, by attribute: String, _ project: ProjectFacts
  ) -> Bool {
    project.resources.entities[type]?.contains(attribute) == true
      && project.type(type, is: managedTypes)
  }

  /// Reports what callers store under a sensitive key, in objects that hold one value each:
  /// `setting.value = text`, for `setting` with a key.
  private static func filed(_ assignment: Scope.Assignment, _ scope: Scope, _ pass: Pass) {
    guard ["value", "data", "string", "text", "content"].contains(assignment.name),
      let function = scope.function,
      let key = function.parameters.first(where: {
        ["key", "name", "identifier"].contains($0.name)
      })
    else { return }
    let name = Expression(.name(key.name), assignment.expression.range)
    for given in pass.inspector.callers(giving: assignment.value, under: name, in: scope)
    where given.sensitivity.isSecret || given.sensitivity == .payment {
      pass.report(
        .coreDataUnprotected, given.through(scope, assignment.expression), at: given.place,
        in: given.scope, "# is stored by Core Data in the clear")
    }
  }

  /// Returns the type whose property a bare name is, as in `email = x` in a method of the type, or
  /// nil for a local variable.
  private static func owner(
    of name: String, in scope: Scope, _ pass: Pass
  ) -> String? {
    switch pass.inspector.meaning(of: name, in: scope) {
    case .local(_, .some, _), .parameter, .closure: return nil
    default: break
    }
    return scope.owner
  }

  /// Returns true if Core Data stores a property, and not the object alone.
  private static func isAttribute(_ name: String, of type: String, _ project: ProjectFacts) -> Bool
  {
    let plain = TypeName.plain(type)
    if project.resources.entities[plain]?.contains(name) == true { return true }
    guard let variable = project.types[plain]?.variables[name]?.variable,
      project.types[plain]?.declarations.contains(where: { $0.file.language == .swift }) == true
    else { return true }
    if variable.attributes.contains(where: { $0.name == "NSManaged" }) { return true }
    // A computed property is stored if its setter sets an attribute, and not if it uses the keychain.
    return variable.accessors.contains { setter in
      guard setter.name == "set", let scope = project.scope(of: setter) else { return false }
      return scope.calls.contains { ["setPrimitiveValue", "setValue"].contains($0.name) }
        || scope.assignments.contains { assignment in
          project.resources.entities[plain]?.contains(assignment.name) == true
            || project.types[plain]?.variables[assignment.name]?.variable.attributes.contains {
              $0.name == "NSManaged"
            } == true
        }
    }
  }

  private static let managedTypes: Set<String> = ["NSManagedObject"]

  /// Returns true if values of a type are objects of Core Data. A struct may have the name of an
  /// entity, but it is not stored.
  static func isManaged(_ type: String, near file: SourceFile, _ project: ProjectFacts) -> Bool {
    let plain = TypeName.plain(type)
    guard project.resources.entities[plain] != nil || project.type(plain, is: managedTypes) else {
      return false
    }
    return project.declarations(of: plain, near: file).allSatisfy { $0.form == .class }
  }

  private static func stored(
    _ name: String, _ value: Expression, _ rule: RuleID, _ what: String, at place: Expression,
    _ scope: Scope, _ pass: Pass
  ) {
    if scope.isMigration || pass.inspector.isProtected(value, in: scope) { return }
    let found =
      SensitiveKind.ofKey(name).map { Evidence(sensitivity: $0, name: name, trail: []) }
      ?? pass.inspector.sensitivity(of: value, in: scope)
    guard let found else { return }
    // A field may serve several purposes, and the attribute says which one it was: `name`, `address`.
    let isOther =
      SensitiveKind.ofKey(name) == nil
      && Words.split(name).last.map(Vocabulary.otherThings.contains) == true
    pass.report(
      rule, found, at: place, in: scope, severity: isOther ? .low : nil, "# " + what)
  }

  static let realmTypes: Set<String> = [
    "RLMObject", "Object", "EmbeddedObject", "RLMEmbeddedObject",
  ]

  /// Returns true if any code in the project gives Realm an encryption key.
  static func isRealmEncrypted(_ project: ProjectFacts) -> Bool {
    project.assigned.contains("encryptionKey") || project.labels.contains("encryptionKey")
  }
}

extension ProjectFacts {
  var importsRealm: Bool {
    imports.contains { $0.hasPrefix("Realm") }
      || resources.dependencies.contains { $0.hasPrefix("realm") }
      || types.values.contains { $0.inherited.contains("RLMObject") }
  }

  var usesFirebase: Bool {
    imports.contains { $0.hasPrefix("Firebase") }
      || resources.dependencies.contains { $0.hasPrefix("firebase") }
  }

  var usesCouchbase: Bool {
    imports.contains { $0.lowercased().contains("couchbase") || $0.contains("CBL") }
      || calls["CBLManager"] != nil || calls["databaseNamed"] != nil
  }

  /// Returns true if any code sets a property with this name.
  func hasAssignment(to name: String) -> Bool { assigned.contains(name) }
}

extension Expression {
  /// The text at the start of a string literal.
  var firstText: String? {
    guard case .string(let pieces) = kind, case .text(let text)? = pieces.first else { return nil }
    return text
  }

  /// The first argument of a call.
  var firstArgument: Expression? {
    guard case .call(_, let arguments) = kind else { return nil }
    return arguments.first?.value
  }
}
