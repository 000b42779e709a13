import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestFormats

/// Runs the checks of all rules on the source code of a project.
package struct Analysis: Sendable {
  let project: ProjectFacts

  /// A source file with its scopes, which keep only what the rules need.
  package struct File: Sendable {
    package let source: SourceFile
    let scopes: [Scope]

    package init(_ source: SourceFile) {
      self.source = source
      scopes = ScopeBuilder.scopes(of: source, interest: Self.interest)
    }

    private static let interest = Set(CheckSet.all.mentions.keys)
      .union(CheckSet.namesOfInterest).union(ResourceChecks.namesOfInterest)
      .union(LinuxFiles.namesOfInterest)
  }

  package init(_ files: [File], resources: ResourceFacts = ResourceFacts()) {
    project = ProjectFacts(files: files.map { ($0.source, $0.scopes) }, resources: resources)
  }

  /// Returns all findings without duplicates, sorted by path and line. Uses all cores.
  package func findings() -> [Finding] { results().findings }

  /// Returns all findings as ``findings()`` does, everything that the code stores under a name, and
  /// the secrets that are not reported, the files in which a name silenced a finding, and those with
  /// findings that are notes, because nothing leads to the code.
  package func results() -> (
    findings: [Finding], writes: [StorageWrite], secrets: [Finding.Secret], silenced: Set<String>,
    unreached: Set<String>
  ) {
    let files = project.files.count
    let names = OwnNames.current
    let uses = SecretUses(project)
    let found = Workers.map(files + 1) { index in
      OwnNames.$current.withValue(names) {
        let pass = Pass(project, uses)
        if index == files {
          for check in CheckSet.all.projects { check(pass) }
        } else {
          look(at: project.files[index], project.scopes[index], pass)
        }
        return (
          findings: pass.findings, writes: pass.writes, secrets: pass.secrets,
          silenced: pass.silenced, unreached: pass.unreached
        )
      }
    }
    var seen: Set<Key> = []
    let reported = found.flatMap(\.findings)
    let all = reported.sorted { $0.severity > $1.severity }
      .filter { seen.insert(Key($0)).inserted }
      .sorted { ($0.location, $0.rule, $0.message) < ($1.location, $1.rule, $1.message) }
    let unreached = found.reduce(into: Set()) { $0.formUnion($1.unreached) }
    // What is not reached never stands for what is.
    let reached = all.filter { project.reach.isReached($0.location) }
    let others = all.filter { !project.reach.isReached($0.location) }
    return (
      (Repetitions.folded(reached) + Repetitions.folded(others)).carrying(secretsOf: reported),
      found.flatMap(\.writes), found.flatMap(\.secrets),
      found.reduce(into: []) { $0.formUnion($1.silenced) }, unreached
    )
  }

  /// Returns true unless nothing leads to the code or to the screen around a place.
  package func isReached(_ location: Location) -> Bool { project.reach.isReached(location) }

  /// Returns those of some texts that are literals in the code.
  package func literals(among texts: Set<String>) -> Set<String> {
    guard !texts.isEmpty else { return [] }
    return project.scopes.joined().reduce(into: []) { found, scope in
      for string in scope.strings {
        if let text = string.literal, texts.contains(text) { found.insert(text) }
      }
    }
  }

  /// Identifies duplicates: a rule says the same of a line once.
  private struct Key: Hashable {
    let rule: RuleID
    let path: String
    let line: Int
    let message: String

    init(_ finding: Finding) {
      rule = finding.rule
      path = finding.location.path
      line = finding.location.start.line
      message = finding.message
    }
  }

  private func look(at file: SourceFile, _ scopes: [Scope], _ pass: Pass) {
    let checks = CheckSet.all
    for scope in scopes {
      let idle = pass.inspector.idleCalls(of: scope)
      for (index, call) in scope.calls.enumerated() where !idle.contains(index) {
        for check in checks.calls[call.name] ?? [] { check(call, scope, pass) }
      }
      for assignment in scope.assignments {
        for check in checks.assignments[assignment.name] ?? [] { check(assignment, scope, pass) }
      }
      for (name, expressions) in scope.mentions {
        for check in checks.mentions[name] ?? [] {
          for expression in expressions { check(expression, scope, pass) }
        }
      }
      for check in checks.scopes { check(scope, pass) }
    }
    for type in file.types { look(at: type, file, pass) }
    for check in checks.files { check(file, pass) }
  }

  private func look(at type: TypeDeclaration, _ file: SourceFile, _ pass: Pass) {
    for check in CheckSet.all.types { check(type, file, pass) }
    for inner in type.types { look(at: inner, file, pass) }
  }
}
