import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditObjectiveC
import AtRestAuditResources
import AtRestAuditRules
import AtRestAuditSwift
import AtRestFormats
import Foundation

extension AuditEngine {
  /// Swift, Objective-C and the resources of a project, judged by the rulebook.
  package static let standard = AuditEngine(
    rules: Rulebook.all,
    read: { file, data in
      switch file.kind {
      case .swift, .objectiveC:
        let source = data.withUnsafeBytes { bytes in
          let text = bytes.bindMemory(to: UInt8.self)
          return file.kind == .swift
            ? SwiftReader.read(text, path: file.path) : ObjectiveCReader.read(text, path: file.path)
        }
        return Reading(
          file: file, source: source, resource: Analysis.File(source), skipped: source.skipped)
      default:
        let resource = ResourceFile.read(data, path: file.path)
        return Reading(file: file, resource: resource, skipped: resource?.skipped ?? [])
      }
    },
    judge: { readings, settings in
      let files = readings.compactMap { $0.resource as? Analysis.File }
      let resources = ProjectResources(readings.compactMap { $0.resource as? ResourceFile })
      let checks = ResourceChecks()
      let secrets = checks.secrets(in: resources)
      let analysis = Analysis(files, resources: ResourceFacts(resources, secrets: secrets))
      let use = analysis.use
      var skipped: [Skip] = []
      var advisories: AdvisoryDatabase?
      if let path = settings.advisories {
        let database = try AdvisoryDatabase.read(at: path)
        skipped = database.skipped
        advisories = database
      }
      return Judgement(
        findings: analysis.findings()
          + checks.findings(
            in: resources, code: InterfaceCode(files.map(\.source)), advisories: advisories,
            secrets: secrets)
          + checks.privacyFindings(in: resources, use: use)
          + checks.entitlementFindings(in: resources, use: use),
        skipped: skipped)
    })
}

extension ResourceFacts {
  /// What code is judged by, of what was read.
  ///
  /// - Parameter secrets: Those in each of the property lists.
  init(_ resources: ProjectResources, secrets: [[Finding]]) {
    self.init()
    for interface in resources.interfaces {
      for field in interface.fields {
        let fact = Field(sensitivity: field.subject?.sensitivity, isSecure: field.isSecure)
        for outlet in field.outlets {
          guard let owner = outlet.owner ?? field.owner else { continue }
          fields["\(owner).\(outlet.name)"] = fact
        }
      }
    }
    for model in resources.dataModels {
      for entity in model.entities {
        let attributes = entity.attributes.map(\.name)
        entities[entity.name] = attributes
        if let name = entity.representedClassName {
          entities[name.split(separator: ".").last.map(String.init) ?? name] = attributes
        }
      }
    }
    for lock in resources.locks {
      for dependency in lock.dependencies { dependencies.insert(dependency.name.lowercased()) }
    }
    for (list, secrets) in zip(resources.propertyLists, secrets) where !secrets.isEmpty {
      filesWithSecrets.insert(ResourcePath.name(of: list.path))
    }
  }
}
