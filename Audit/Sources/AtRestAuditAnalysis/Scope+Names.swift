import AtRestAuditModel

extension Scope {
  /// Records a constant that is used as a name: `key`, `Keys.token`, `.token.rawValue`.
  func note(name expression: Expression) {
    switch expression.bare.kind {
    case .member(let base?, "rawValue"), .member(let base?, "stringValue"),
      .member(let base?, "key"), .member(let base?, "lowercased"):
      note(name: base)
    case .name(let name), .member(_, let name): names.insert(name)
    default: break
    }
  }

  /// Labels of arguments that are names.
  private static let labelsOfNames: Set<String> = [
    "forKey", "key", "withKey", "forService", "service", "named", "name", "identifier",
    "withIdentifier", "account", "forAccount", "forHTTPHeaderField", "forKeyPath", "keyPath",
    "forName", "field", "forColumn", "column", "label", "attribute", "tag", "keychainKey",
    "defaultsKey", "header", "eventName", "notificationName",
  ]
  /// Functions and types whose only argument is a name.
  private static let takesName: Set<String> = [
    "Name", "Column", "CodingKey", "NSSortDescriptor", "NSPredicate", "NSLocalizedString", "get",
    "getData", "string", "data", "object", "bool", "integer", "value", "delete", "remove",
    "removeObject", "removeValue", "contains", "HTTPField",
  ]

  private static let labelsOfCiphers: Set<String> = [
    "iv", "nonce", "salt", "blockMode", "padding", "rounds", "iterations", "using",
  ]

  /// Records the constants that a call uses as names.
  func noteNames(in arguments: [Argument], of name: String) {
    // The key of a cipher is no name.
    if arguments.contains(where: { $0.label.map(Self.labelsOfCiphers.contains) == true }) { return }
    for argument in arguments {
      if let label = argument.label, Self.labelsOfNames.contains(label) {
        note(name: argument.value)
      }
    }
    if let first = arguments.first, first.label == nil,
      name.hasSuffix("ForKey") || arguments.count == 1 && Self.takesName.contains(name)
    {
      note(name: first.value)
    }
  }
}
