import AtRestAuditModel

extension Scope {
  /// True if the code moves data out of an old place. What is stored there was stored by other code.
  package var isMigration: Bool {
    surroundings.flatMap(Words.split).contains { word in
      ["migration", "migrations", "migrate", "migrator", "migrating", "migrates", "legacy"]
        .contains(word)
    }
  }

  /// True if the code belongs to a screen for the developers of the app: `DebugView`.
  package var isForDevelopers: Bool {
    surroundings.flatMap(Words.split).contains { ["debug", "debugging", "developer"].contains($0) }
  }

  /// The names of the function, its type and its file.
  private var surroundings: [String] {
    let file = file.path.split(separator: "/").last.map(String.init) ?? ""
    return [function?.name ?? "", owner ?? "", file]
  }
}
