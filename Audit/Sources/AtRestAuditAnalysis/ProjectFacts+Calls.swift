import AtRestAuditModel

extension ProjectFacts {
  /// Returns what the code assigns to properties of this name, of other objects.
  package func values(assignedTo name: String) -> [Expression] {
    (assignments[name] ?? []).map(\.assignment.value)
  }

  /// Returns true if the code of a scope is a function in Swift that an app has and never calls.
  ///
  /// What a protocol or class of a framework may require is called by the framework, and what a library
  /// declares is called by others.
  package func neverCalls(_ scope: Scope) -> Bool {
    guard resources.hasApplication, scope.file.language == .swift, let function = scope.function,
      function.attributes.allSatisfy({ Self.silentAttributes.contains($0.name) }),
      calls[function.name] == nil, !references.contains(function.name),
      !Self.calledBySystem.contains(function.name)
    else { return false }
    guard let owner = scope.owner else { return true }
    guard methods[owner]?[function.name] != nil else { return false }
    return ancestors(of: owner).union([owner]).allSatisfy { name in
      types[name]?.declarations.contains { $0.type.form != .extension } == true
        || Self.plainAncestors.contains(name)
    }
  }

  private static let silentAttributes: Set<String> = [
    "discardableResult", "MainActor", "available", "inlinable", "inline",
  ]

  /// Accessors, initialisers, and requirements of the ancestors below.
  private static let calledBySystem: Set<String> = [
    "init", "deinit", "get", "set", "willSet", "didSet", "subscript", "main", "encode", "hash",
    "body", "description", "isEqual", "callAsFunction",
  ]

  /// Classes and protocols of the standard library and Foundation that call nothing else.
  private static let plainAncestors: Set<String> = [
    "NSObject", "Sendable", "Codable", "Encodable", "Decodable", "Equatable", "Hashable",
    "Identifiable", "ObservableObject", "AnyObject", "Error", "CaseIterable", "String", "Int",
  ]
}
