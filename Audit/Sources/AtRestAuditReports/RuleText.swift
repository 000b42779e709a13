import AtRestAuditModel

/// The explanation of a rule as text.
public struct RuleText: Sendable {
  public var colours = false

  /// Creates the writer of explanations, with or without colours.
  public init(colours: Bool = false) { self.colours = colours }

  /// Returns the explanation for a terminal.
  public func text(of rule: Rule) -> String {
    var output = """
      \(bold(rule.id.rawValue))  \(rule.severity.rawValue), \(rule.level.rawValue)
      \(rule.title)

      \(bold("Why"))   \(rule.consequence)
      \(bold("Fix"))   \(rule.remedy)

      """
    for (name, url) in rule.references.links { output += "\(bold("See"))   \(name)  \(url)\n" }
    if !rule.references.masweBeta.isEmpty {
      output += "      In the beta of MASWE: \(rule.references.masweBeta.joined(separator: ", "))\n"
    }
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
      output += "\n\(bold(title)), \(example.file)\n\n"
      for line in example.text.split(separator: "\n", omittingEmptySubsequences: false) {
        output += line.isEmpty ? "\n" : "    \(line)\n"
      }
    }
    return output
  }

  /// Returns the explanation as Markdown, for the help of SARIF.
  func markdown(of rule: Rule) -> String {
    var output = """
      **\(rule.title)** (\(rule.level.rawValue))

      \(rule.consequence)

      **Fix:** \(rule.remedy)

      """
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
      output += "\n\(title), `\(example.file)`:\n\n```\(Self.language(of: example.file))\n"
      output += example.text.hasSuffix("\n") ? example.text : example.text + "\n"
      output += "```\n"
    }
    let links = rule.references.links.map { "[\($0.name)](\($0.url))" }
    if !links.isEmpty { output += "\nSee \(links.joined(separator: ", ")).\n" }
    return output
  }

  private static func language(of file: String) -> String {
    switch FileKind(path: file) {
    case .swift: "swift"
    case .objectiveC: "objectivec"
    case .json: "json"
    case .interface, .propertyList, .dataModel: "xml"
    default: ""
    }
  }

  private func bold(_ text: String) -> String { colours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
