import ArgumentParser
import AtRestAudit
import AtRestSecrets

/// `atrest-audit rules`
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List the rules or the forms of secrets, or show a rule.",
    subcommands: [List.self, Show.self, Secrets.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the rules. The default.")

    @Flag(help: "Write JSON.") var json = false

    func run() throws {
      let rules = Rulebook.all.sorted { $0.id < $1.id }
      guard !json else { return try Output.write(JSONReport.text(of: rules)) }
      let width = rules.map(\.id.rawValue.utf8.count).max() ?? 0
      try Output.write(
        rules.map { rule in
          let id = rule.id.rawValue.padding(to: width)
          return "\(id)  \(rule.severity.rawValue.padding(to: 6))  \(rule.title)\n"
        }.joined())
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what a rule finds, why it matters, and how to fix it.")

    @ArgumentParser.Argument(help: "The identifier of a rule.") var id: String
    @Flag(help: "Write JSON.") var json = false

    func run() throws {
      let rule = try RulesCommand.rule(id, in: Rulebook.all)
      try Output.write(
        json
          ? JSONReport.text(of: [rule])
          : RuleText(colours: Output.colours).text(of: rule))
    }
  }

  struct Secrets: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the forms by which secrets are recognised, whatever they are called.",
      discussion: "The table is Markdown. It shows what each part of AtRest does with each form.")

    func run() throws { try Output.write(SecretForm.markdown) }
  }

  /// - Throws: ``AuditError`` if the rule does not exist. The error suggests a rule with a similar
  ///   name.
  static func rule(_ id: String, in rules: [Rule]) throws -> Rule {
    if let rule = rules.first(where: { $0.id.rawValue == id }) { return rule }
    let nearest = Spelling.nearest(to: id, among: rules.map(\.id.rawValue))
    let hint = nearest.map { "Did you mean '\($0)'?" } ?? "'atrest-audit rules' lists the rules."
    throw AuditError("The rule '\(id)' does not exist. \(hint)")
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - utf8.count, 0))
  }
}
