import AtRestAuditModel

extension StorageSlot {
  /// The kind of place and its names: `preference “token”`, `column users.password`.
  var text: String {
    func quoted(_ name: String) -> String { "“\(Display.cut(name, 200))”" }
    switch self {
    case .preference(let suite, let key):
      return "preference \(quoted(key))" + (suite.map { " of \(Display.cut($0, 200))" } ?? "")
    case .file(let name): return "file \(Display.cut(name, 200))"
    case .column(let table, let column):
      return column.map { "column \(Display.cut("\(table).\($0)", 200))" }
        ?? "table \(Display.cut(table, 200))"
    case .attribute(let entity, let name):
      return "attribute \(Display.cut("\(entity).\(name)", 200))"
    case .keychainItem: return "keychain item \(quoted(names.joined(separator: ", ")))"
    case .cookie(let domain, let name):
      return "cookie \(quoted(name))" + (domain.map { " of \(Display.cut($0, 200))" } ?? "")
    case .response(let host): return "responses of \(Display.cut(host, 200))"
    }
  }

  /// The word for what the code does.
  var verb: String {
    if case .response = self { "requested" } else { "stored" }
  }
}

extension AuditReport {
  /// The findings that ``joined`` contains.
  var joinedFindings: Set<Finding> { Set(joined.flatMap { $0.code + $0.found }) }

  /// The number of each finding, from 1.
  var numbers: [Finding: Int] {
    Dictionary(findings.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
  }
}
