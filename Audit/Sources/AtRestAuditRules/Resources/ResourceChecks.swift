import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

/// The rules on everything of a project that is no source code.
///
/// Pure functions over what was read: no file is opened, and the order of the findings is that of the
/// files.
package struct ResourceChecks: Sendable {
  package init() {}

  /// All that can be told from the files alone, and from what code decides of their fields.
  ///
  /// Files that tests alone have are left out.
  package func findings(
    in resources: ProjectResources, code: InterfaceCode = InterfaceCode(),
    advisories: AdvisoryDatabase? = nil
  ) -> [Finding] {
    findings(in: resources, code: code, advisories: advisories, secrets: secrets(in: resources))
  }

  package func findings(
    in resources: ProjectResources, code: InterfaceCode, advisories: AdvisoryDatabase?,
    secrets: [[Finding]]
  ) -> [Finding] {
    var findings: [Finding] = []
    for file in InterfaceFile.withoutTranslations(resources.interfaces)
    where !resources.isTestOnly(file.path) {
      findings += self.findings(in: file, code: code)
    }
    for (list, secrets) in zip(resources.propertyLists, secrets)
    where !resources.isTestOnly(list.path) {
      findings += secrets
      findings += settings(in: list)
    }
    for model in DataModel.latestVersions(resources.dataModels)
    where !resources.isTestOnly(model.path) {
      findings += self.findings(in: model)
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

  /// Of the entitlements of one target, a file for each configuration, one inventory is enough.
  private static func withoutRepeats(_ findings: [Finding]) -> [Finding] {
    var folders: Set<String> = []
    return findings.filter { finding in
      finding.rule != .sharedContainer
        || folders.insert(ResourcePath.folder(of: finding.location.path)).inserted
    }
  }

  /// Where a value of a property list and its key stand.
  static func location(_ path: String, _ entry: PropertyList.Entry) -> Location {
    location(path, from: entry.position, to: entry.node.position)
  }

  static func location(_ path: String, from start: Position, to end: Position) -> Location {
    let last = max(start, end)
    return Location(
      path: path, start: start, end: Position(line: last.line, column: last.column + 1))
  }
}
