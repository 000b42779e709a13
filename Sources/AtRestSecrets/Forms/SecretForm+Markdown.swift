extension SecretForm {
  /// The table as Markdown, with the sources of the forms of tokens and keys.
  public static let markdown: String = {
    let sections = Group.allCases.map { group in
      let rows = all.filter { $0.group == group }
      let heads =
        ["Form", "Written", "Exact form", "Form in logs"]
        + SecretConsumer.allCases.map {
          $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst()
        }
      let lines = rows.map { row in
        [row.name, "`\(row.written)`", row.exact, row.loose]
          + SecretConsumer.allCases.map(row.treatment)
      }
      return "## \(group.rawValue)\n\n" + table([heads] + lines) + sources(group, rows)
    }
    return sections.joined(separator: "\n")
  }()

  private static func table(_ lines: [[String]]) -> String {
    let rows = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }
    let rule = "|" + String(repeating: " --- |", count: lines[0].count) + "\n"
    return rows[0] + rule + rows.dropFirst().joined()
  }

  private static func sources(_ group: Group, _ rows: [SecretForm]) -> String {
    let links: [(String, String)] =
      switch group {
      case .tokens: TokenForm.all.map { ($0.source.title, "<\($0.source.address)>") }
      case .keys: KeyForm.allCases.map { ($0.source.title, "<\($0.source.address)>") }
      case .cards, .accounts, .identities: rows.map { ($0.source, "") }
      }
    var seen: Set<String> = []
    let lines = links.filter { seen.insert($0.0).inserted }.map { title, address in
      "- \(title)\(address.isEmpty ? "" : ": ")\(address)\n"
    }
    return "\nSources:\n\n" + lines.joined()
  }
}
