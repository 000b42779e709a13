import AtRestAuditModel
import AtRestFormats

/// The sections of the page of ``HTMLReport``. It is not safe for use from several threads.
struct HTMLContent {
  let report: AuditReport
  /// The rules that the report is about.
  let rules: [Rule]
  /// The rules of the audit.
  let all: [Rule]
  let index: RuleIndex
  let lines: SourceLines
  /// The number of findings in each file of a container, by path.
  let findingsOfFiles: [String: Int]
  /// The name of the container of each file, by path.
  let containersOfFiles: [String: String]
  /// The number of each finding, from 1.
  let numbers: [Finding: Int]

  /// A part of the page that the navigation links to.
  struct Section {
    let id: String
    let title: String
    let html: String

    /// - Parameter body: The content below the title. If it is empty, the section is left out.
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
    lines = SourceLines(report, reveal: reveal)
    let report = lines.report
    self.report = report
    let used = Set(report.findings.map(\.rule))
    self.rules = rules.filter { used.contains($0.id) }
    all = rules
    index = RuleIndex(rules)
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
    numbers = report.numbers
  }

  var sections: [Section] {
    [
      Section("joined", "Stored by the code and found in a container", joined),
      Section("canaries", "Canaries", canaries),
      Section("by-rule", "Findings by rule", rulesTable),
      Section("findings", "Findings", findings),
      Section("protection", "Protection classes", protection),
      Section("opened", "Opened files", opened),
      Section("time-line", "Time line", timeLine),
      Section("snapshots", "Snapshots of the screen", snapshots),
      Section("rules", "Rules", explanations),
      Section("masvs", "Tests of the MASTG", controls),
      Section("rest", "Other observations", rest),
      Section("checklist", "Questions that no program can answer", checklist),
    ].compactMap(\.self)
  }

  func navigation(_ sections: [Section]) -> String {
    let items = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" }
    return "<nav aria-label=\"Parts of this report\"><ul>\n\(items.joined())</ul></nav>"
  }

  /// Escapes untrusted text, so that nothing in it is markup or changes the direction of a line.
  static func shown(_ text: String) -> String { XMLText.escaped(Display.safe(text)) }

  /// Returns the path by which findings name a file of a container, or nil if no finding names the
  /// file. The path may begin with the name of the container.
  private static func path(
    of file: ContainerSummary.File, in container: ContainerSummary, _ counts: [String: Int]
  ) -> String? {
    ["\(container.name)/\(file.path)", file.path].first { counts[$0] != nil }
  }

  func path(of file: ContainerSummary.File, in container: ContainerSummary) -> String? {
    Self.path(of: file, in: container, findingsOfFiles)
  }

  /// `code`, or the name of the container of the finding.
  func place(of finding: Finding) -> String {
    guard finding.exhibit != nil else { return "code" }
    return containersOfFiles[finding.location.path] ?? "container"
  }
}
