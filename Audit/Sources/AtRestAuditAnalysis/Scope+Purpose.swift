import AtRestAuditModel

extension Scope {
  /// True if the code moves data out of an old place. What is stored there was stored by other code.
  package var isMigration: Bool {
    surroundings.flatMap(Words.split).contains { word in
      ["migration", "migrations", "migrate", "migrator", "migrating", "migrates", "legacy"]
        .contains(word)
    }
  }

  /// True if the function is marked as deprecated, so that new code does not call it.
  package var isDeprecated: Bool {
    function?.attributes.contains { attribute in
      attribute.name == "available" && attribute.arguments.first?.value.lastName == "*"
        && attribute.arguments.contains { $0.value.lastName == "deprecated" }
    } == true
  }

  /// True if the code belongs to a screen for the developers of the app: `DebugView`.
  package var isForDevelopers: Bool { surroundings.contains(where: Self.isForDevelopers) }

  /// Returns true for the name of a function, type or file for the developers of the app.
  package static func isForDevelopers(_ name: String) -> Bool {
    Words.split(name).contains { ["debug", "debugging", "developer"].contains($0) }
  }

  /// The names of the function, its type and its file.
  private var surroundings: [String] {
    let file = file.path.split(separator: "/").last.map(String.init) ?? ""
    return [function?.name ?? "", owner ?? "", file]
  }
}
