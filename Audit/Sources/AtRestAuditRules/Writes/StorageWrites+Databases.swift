import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// Records what a call stores in a table of SQLite.swift, as in `users.insert(password <- entered)`,
  /// or in an object of Core Data, as in `user.setValue(entered, forKey: "password")`.
  private static func written(by call: Scope.Call, in scope: Scope, _ pass: Pass) {
    switch call.name {
    case "insert", "update", "upsert":
      guard pass.project.imports.contains("SQLite"),
        let table = call.receiver.flatMap({ table($0, in: scope, pass) })
      else { return }
      for argument in call.arguments {
        guard case .binary(let column, "<-", _) = argument.value.kind,
          let name = text(made(column, in: scope, pass), in: scope, pass)
        else { continue }
        pass.record(.column(table: table, column: name), at: call.expression, in: scope)
      }
    case "setValue", "setPrimitiveValue":
      guard let value = call[0], !pass.inspector.isEmpty(value), let key = call["forKey"],
        let type = (call.receiver.map { pass.inspector.type(of: $0, in: scope) } ?? scope.owner)
          .map(TypeName.plain),
        let name = text(key, in: scope, pass),
        let entity = entity(of: type, with: name, pass.project.resources)
      else { return }
      pass.record(.attribute(entity: entity, name: name), at: call.expression, in: scope)
    default: return
    }
  }

  /// Returns the entity that has an attribute: that of a class, or the only one if the class says
  /// nothing.
  private static func entity(
    of type: String, with attribute: String, _ resources: ResourceFacts
  ) -> String? {
    if resources.entities[type]?.contains(attribute) == true { return type }
    guard type == "NSManagedObject" else { return nil }
    let all = resources.entities.filter { $0.value.contains(attribute) }.keys
    return all.count == 1 ? all.first : nil
  }

  /// Returns the name of a table of SQLite.swift: `Table("users")`, `users.filter(id == 1)`.
  private static func table(
    _ receiver: Expression, in scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> String? {
    // Variables can be made from each other: `if let x = list.first { list.insert(x) }`.
    guard depth < 12 else { return nil }
    if case .call(let callee, let arguments) = receiver.bare.kind {
      if callee.lastName == "Table" { return text(arguments.first?.value, in: scope, pass) }
      guard case .member(let base?, _) = callee.kind else { return nil }
      return table(base, in: scope, pass, depth: depth + 1)
    }
    guard let value = declared(receiver, in: scope, pass), value !== receiver else { return nil }
    return table(value, in: scope, pass, depth: depth + 1)
  }

  /// Returns the argument from which a column was made: `Expression<String>("password")`.
  private static func made(_ column: Expression, in scope: Scope, _ pass: Pass) -> Expression? {
    guard case .call(_, let arguments)? = declared(column, in: scope, pass)?.bare.kind else {
      return nil
    }
    return arguments.first?.value
  }

  /// Returns the first value of a variable, constant or property.
  private static func declared(
    _ name: Expression, in scope: Scope, _ pass: Pass
  ) -> Expression? {
    if let found = pass.inspector.results(of: name, in: scope).first { return found.value }
    guard case .name(let text) = name.bare.kind else { return nil }
    switch pass.inspector.meaning(of: text, in: scope, at: name.bare) {
    case .local(let bindings, _, _): return bindings.first?.value
    case .global(let variable, _): return variable.value
    default: return nil
    }
  }

  /// Statements of SQL, assignments to objects of Core Data, and properties of SwiftData.
  static func addDatabases(to set: inout CheckSet) {
    set.onScope { scope, pass in
      for string in scope.strings {
        guard let text = string.firstText, let statement = SQLWrite(text) else { continue }
        for slot in statement.slots { pass.record(slot, at: string, in: scope) }
      }
      for call in scope.calls { written(by: call, in: scope, pass) }
      guard !pass.project.resources.entities.isEmpty else { return }
      for assignment in scope.assignments {
        guard let target = assignment.target, !pass.inspector.isEmpty(assignment.value),
          let type = pass.inspector.type(of: target, in: scope).map(TypeName.plain),
          pass.project.resources.entities[type]?.contains(assignment.name) == true
        else { continue }
        pass.record(
          .attribute(entity: type, name: assignment.name), at: assignment.expression, in: scope)
      }
    }
    set.onType { type, file, pass in
      guard type.attributes.contains(where: { $0.name == "Model" || $0.name == "SwiftData.Model" })
      else { return }
      for variable in type.variables where !variable.isStatic && variable.accessors.isEmpty {
        if variable.attributes.contains(where: { $0.name == "Transient" }) { continue }
        pass.record(
          StorageWrite(
            .attribute(entity: type.name, name: variable.name),
            at: file.location(of: variable.range)))
      }
    }
    // Statements that are constants outside of functions.
    set.onFile { file, pass in
      func constants(_ types: [TypeDeclaration]) -> [Variable] {
        types.flatMap { $0.variables.filter(\.isConstant) + constants($0.types) }
      }
      for variable in file.variables + constants(file.types) {
        guard let value = variable.value, let text = value.firstText,
          let statement = SQLWrite(text)
        else { continue }
        for slot in statement.slots {
          pass.record(StorageWrite(slot, at: file.location(of: value.range)))
        }
      }
    }
  }
}
