import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

/// The checks of everything in a project that is not source code.
///
/// They are pure functions: they open no file, and return findings in the order of the files.
package struct ResourceChecks: Sendable {
  package init() {}

  /// Returns the findings in the files, taking into account what code sets on the fields.
  ///
  /// Files that only tests use are left out.
  package func findings(
    in resources: ProjectResources, code: InterfaceCode = InterfaceCode(),
    advisories: AdvisoryDatabase? = nil
  ) -> [Finding] {
    findings(
      in: resources, code: code, advisories: advisories, secrets: secrets(in: resources),
      attributes: AttributeUse())
  }

  package func findings(
    in resources: ProjectResources, code: InterfaceCode, advisories: AdvisoryDatabase?,
    secrets: [[Finding]], attributes: AttributeUse
  ) -> [Finding] {
    var findings: [Finding] = []
    for file in InterfaceFile.withoutTranslations(resources.interfaces)
    where !resources.isTestOnly(file.path) {
      findings += self.findings(in: file, code: code)
    }
    for (list, secrets) in zip(resources.propertyLists, secrets)
    where !resources.isTestOnly(list.path) {
      findings += secrets
      if !resources.isUnused(list) { findings += settings(in: list) }
    }
    for model in DataModel.latestVersions(resources.dataModels)
    where !resources.isTestOnly(model.path) {
      findings += self.findings(in: model, use: attributes)
    }
    for project in resources.projects { findings += sharing(in: project) }
    for file in resources.configurations where !resources.isTestOnly(file.path) {
      findings += self.findings(in: file)
    }
    for file in resources.keys where !resources.isTestOnly(file.path) {
      findings += self.findings(in: file, resources)
    }
    if let advisories {
      for file in resources.locks { findings += self.findings(in: file, advisories) }
    }
    return Self.withoutRepeats(findings)
  }

  /// Keeps one finding for each set of shared groups, which the entitlements of each target and
  /// configuration repeat. Released builds come first.
  private static func withoutRepeats(_ findings: [Finding]) -> [Finding] {
    let shared = findings.indices.filter { findings[$0].rule == .sharedContainer }
      .sorted {
        (isEarly(findings[$0].location.path) ? 1 : 0, $0) < (
          isEarly(findings[$1].location.path) ? 1 : 0, $1
        )
      }
    var messages: Set<String> = []
    let repeats = Set(shared.filter { !messages.insert(findings[$0].message).inserted })
    return findings.indices.filter { !repeats.contains($0) }.map { findings[$0] }
  }

  /// Returns the location of an entry of a property list, from its key to its value.
  static func location(_ path: String, _ entry: PropertyList.Entry) -> Location {
    location(path, from: entry.position, to: entry.node.position)
  }

  static func location(_ path: String, from start: Position, to end: Position) -> Location {
    let last = max(start, end)
    return Location(
      path: path, start: start, end: Position(line: last.line, column: last.column + 1))
  }
}
