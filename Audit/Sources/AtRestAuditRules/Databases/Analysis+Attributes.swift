import AtRestAuditAnalysis
import AtRestAuditModel

extension Analysis {
  /// The attributes of Core Data that the code only ever fills with protected values, as
  /// `Class.attribute`.
  package func protectedAttributes(in models: [(type: String, attribute: String)]) -> Set<String> {
    let inspector = Inspector(project: project)
    return Set(
      models.filter { isProtected($0.attribute, of: $0.type, inspector) }
        .map { "\($0.type).\($0.attribute)" })
  }

  private func isProtected(_ attribute: String, of type: String, _ inspector: Inspector) -> Bool {
    let values = inspector.values(storedIn: attribute, of: type).filter {
      !inspector.isEmpty($0.value)
    }
    return !values.isEmpty && values.allSatisfy { inspector.isProtected($0.value, in: $0.scope) }
  }
}
