import AtRestAuditModel

extension Inspector {
  /// Returns the names of the properties that a type of the project encodes, or nil if it leaves
  /// that to the compiler.
  package func encodedProperties(of type: String) -> Set<String>? {
    guard let facts = project.types[type] else { return nil }
    for name in ["encode", "encodeWithCoder"] {
      for declared in project.methods[type]?[name] ?? []
      where declared.function.parameters.count == 1 {
        let scope = declared.scope
        return scope.calls.filter { $0.name.hasPrefix("encode") }.reduce(into: []) { names, call in
          for argument in call.arguments {
            if let name = argument.value.bare.lastName { names.insert(name) }
          }
        }
      }
    }
    // `enum CodingKeys: String, CodingKey { case user }`
    for declaration in facts.declarations {
      for inner in declaration.type.types where inner.name == "CodingKeys" {
        return Set(inner.cases.map(\.name))
      }
    }
    return nil
  }
}
