import AtRestAuditModel
import AtRestFormats

/// What the page of ``HTMLReport`` tells, section by section. Not for several threads at once.
struct HTMLContent {
  let report: AuditReport
  /// Those that the report is about.
  let rules: [Rule]
  let index: RuleIndex
  let lines: SourceLines
  /// Numbers of findings in files of containers, by path.
  let findingsOfFiles: [String: Int]
  /// Names of the containers that they are in, by path.
  let containersOfFiles: [String: String]

  /// A part of the page that its navigation names.
  struct Section {
    let id: String
    let title: String
    let html: String

    /// - Parameter body: What stands below the title; no section if there is nothing.
    init?(_ id: String, _ title: String, _ body: String) {
      guard !body.isEmpty else { return nil }
      self.id = id
      self.title = title
      html = """
        <section id="\(id)" aria-labelledby="title-\(id)">
        <h2 id="title-\(id)">\(title)</h2>
        \(body)</section>
        """
    }
  }

  init(_ report: AuditReport, _ rules: [Rule], reveal: Bool) {
    self.report = report
    let used = Set(report.findings.map(\.rule))
    self.rules = rules.filter { used.contains($0.id) }
    index = RuleIndex(rules)
    lines = SourceLines(report, reveal: reveal)
    let counts = report.findings.reduce(into: [String: Int]()) { counts, finding in
      if finding.exhibit != nil { counts[finding.location.path, default: 0] += 1 }
    }
    var names: [String: String] = [:]
    for container in report.containers {
      for file in container.files {
        let path = Self.path(of: file, in: container, counts)
        if let path, names[path] == nil { names[path] = container.name }
      }
    }
    findingsOfFiles = counts
    containersOfFiles = names
  }

  var sections: [Section] {
    [
      Section("by-rule", "Findings by rule", rulesTable),
      Section("findings", "Findings", findings),
      Section("protection", "Protection classes", protection),
      Section("opened", "What was opened", opened),
      Section("snapshots", "Snapshots of the screen", snapshots),
      Section("rules", "Rules", explanations),
      Section("rest", "Beside the findings", rest),
      Section("checklist", "What no program can judge", checklist),
    ].compactMap(\.self)
  }

  func navigation(_ sections: [Section]) -> String {
    let items = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" }
    return "<nav aria-label=\"Parts of this report\"><ul>\n\(items.joined())</ul></nav>"
  }

  /// Text of others: nothing in it is markup, or turns a line around.
  static func shown(_ text: String) -> String { XMLText.escaped(Display.safe(text)) }

  /// How findings name a file of a container, with its name before or without, if any does.
  private static func path(
    of file: ContainerSummary.File, in container: ContainerSummary, _ counts: [String: Int]
  ) -> String? {
    ["\(container.name)/\(file.path)", file.path].first { counts[$0] != nil }
  }

  func path(of file: ContainerSummary.File, in container: ContainerSummary) -> String? {
    Self.path(of: file, in: container, findingsOfFiles)
  }

  /// Code, or the container that the finding is of.
  func place(of finding: Finding) -> String {
    guard finding.exhibit != nil else { return "code" }
    return containersOfFiles[finding.location.path] ?? "container"
  }
}
