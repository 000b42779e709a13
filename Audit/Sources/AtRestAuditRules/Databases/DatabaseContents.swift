import AtRestAuditAnalysis
import AtRestAuditModel

/// Judges by its tables what a database holds, because a database without secrets needs less
/// protection.
enum DatabaseContents {
  /// Returns the severity of a database of SQLite that is not encrypted: medium if code in the same
  /// folder, or below it, declares a table with a secret, and otherwise low.
  static func severity(ofDatabaseIn file: SourceFile, _ pass: Pass) -> Severity {
    let folder = ResourcePath.folder(of: file.path)
    let holdsSecret = zip(pass.project.files, pass.project.scopes).contains { other, scopes in
      (folder.isEmpty || other.path.hasPrefix(folder + "/"))
        && scopes.contains(where: declaresSecret)
    }
    return holdsSecret ? .medium : .low
  }

  /// Returns the severity of a Realm that is not encrypted: medium if a class of objects has a
  /// property for a secret, and otherwise low.
  static func severityOfRealm(_ pass: Pass) -> Severity {
    let holdsSecret = pass.project.types.values.contains { facts in
      !facts.inherited.isEmpty && pass.project.type(facts.name, is: DatabaseChecks.realmTypes)
        && facts.variables.contains { name, found in
          isSecret(name) && pass.isCredible(name, of: facts.name)
            && found.variable.type.map { pass.inspector.couldHold($0, named: name) } != false
        }
    }
    return holdsSecret ? .medium : .low
  }

  private static func declaresSecret(_ scope: Scope) -> Bool {
    scope.strings.contains { string in
      guard let text = string.firstText, text.utf8.count < 20_000 else { return false }
      let start = text.prefix(40).trimmingPrefix { $0.isWhitespace }.uppercased()
      guard start.hasPrefix("CREATE TABLE"), let open = text.firstIndex(of: "(") else {
        return false
      }
      return text[text.index(after: open)...].split(separator: ",").contains { column in
        let words = column.split { $0.isWhitespace || "`\"[]()".contains($0) }
        return words.first.map { isSecret(String($0)) } ?? false
      }
    }
      // `table.column("password", .text)`, `Expression<String>("password")`
      || scope.calls.contains { call in
        guard call.name == "column" || call.name == "add" || call.name == "Expression" else {
          return false
        }
        return (call["column"] ?? call[0])?.literal.map(isSecret) ?? false
      }
  }

  private static func isSecret(_ column: String) -> Bool {
    switch SensitiveKind.ofKey(column) {
    case .credential, .token, .key, .payment, .health, .identity: true
    default: false
    }
  }
}
