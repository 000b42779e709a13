import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// Statements of SQL, assignments to objects of Core Data, and properties of SwiftData.
  static func addDatabases(to set: inout CheckSet) {
    set.onScope { scope, pass in
      for string in scope.strings {
        guard let text = string.firstText, let statement = SQLWrite(text) else { continue }
        for slot in statement.slots { pass.record(slot, at: string, in: scope) }
      }
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
