import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditObjectiveC
import AtRestAuditResources
import AtRestAuditRules
import AtRestAuditSwift
import AtRestFormats
import Foundation

/// The engine for Swift, Objective-C and the resources of a project, with the rules of the
/// rulebook.
struct RulebookEngine: AuditEngine {
  enum Content: Sendable {
    case code(Analysis.File)
    case resource(ResourceFile)

    var code: Analysis.File? { if case .code(let file) = self { file } else { nil } }
    var resource: ResourceFile? { if case .resource(let file) = self { file } else { nil } }
  }

  let rules = Rulebook.all

  /// The rules about keyboards and about what a device shows to whoever holds it. A television has no such
  /// keyboard and nobody holds it, and a Mac keeps no pictures of its windows.
  private static let ofHands: Set<RuleID> = [
    "autocorrection-not-disabled", "custom-keyboards", "background-snapshot",
    "secure-text-entry-missing",
  ]

  func read(_ file: AuditFile, _ data: Data) -> Reading<Content> {
    switch file.kind {
    case .swift, .objectiveC:
      let source = data.withUnsafeBytes { bytes in
        let text = bytes.bindMemory(to: UInt8.self)
        return file.kind == .swift
          ? SwiftReader.read(text, path: file.path) : ObjectiveCReader.read(text, path: file.path)
      }
      return Reading(
        file: file, source: source, content: .code(Analysis.File(source)), skipped: source.skipped)
    default:
      let resource = ResourceFile.read(data, path: file.path)
      return Reading(
        file: file, content: resource.map(Content.resource), skipped: resource?.skipped ?? [])
    }
  }

  func judge(
    _ readings: [Reading<Content>], _ settings: Settings, _ surroundings: Surroundings
  ) throws -> Judgement {
    let resources = ProjectResources(readings.compactMap { $0.content?.resource })
    let shipped = ShippedCode(
      readings.compactMap { $0.content?.code?.source }, resources,
      manifests: surroundings.manifests)
    let leftOut = readings.compactMap { reading -> AuditReport.LeftOut? in
      guard let code = reading.content?.code, !reading.file.isIncluded, !settings.includesTests
      else { return nil }
      return shipped.reason(for: code.source).map { .init(reason: $0, path: reading.file.path) }
    }
    let unchecked =
      settings.advisories == nil
      ? resources.locks.map { AuditReport.LeftOut(reason: .dependencies, path: $0.path) } : []
    let absent = Set(leftOut.map(\.path))
    let files = readings.filter { !absent.contains($0.file.path) }.compactMap { $0.content?.code }
    let checks = ResourceChecks()
    let secrets = checks.secrets(in: resources)
    let analysis = Analysis(
      files,
      resources: ResourceFacts(
        resources, secrets: secrets, surroundings,
        isLibrary: files.contains { $0.source.declaresLibrary(in: surroundings.folder) }))
    let use = analysis.use
    var skipped: [Skip] = []
    var advisories: AdvisoryDatabase?
    if let path = settings.advisories {
      let database = try AdvisoryDatabase.read(at: path)
      skipped = database.skipped
      advisories = database
    }
    let results = analysis.results()
    let silenced = results.silenced.map {
      AuditReport.LeftOut(reason: .standIns, path: $0)
    }
    let tested = resources.all.filter(resources.isTestOnly).map {
      AuditReport.LeftOut(reason: .tests, path: $0)
    }
    let findings =
      results.findings
      + checks.findings(
        in: resources, code: InterfaceCode(files.map(\.source)), advisories: advisories,
        secrets: checks.weighed(secrets, resources, analysis),
        attributes: analysis.attributeUse(
          in: resources.dataModels.flatMap { model in
            model.entities.flatMap { entity in
              entity.attributes.map { (entity.className, $0.name) }
            }
          }))
      + checks.privacyFindings(in: resources, use: use)
      + checks.entitlementFindings(in: resources, use: use)
      + checks.purposeFindings(in: resources, use: use)
      + checks.pageFindings(in: resources, use: use)
    var unreached = results.unreached
    return Judgement(
      findings: findings.map { finding in
        let path = finding.location.path
        if FileKind(path: path) == .interface, finding.severity > .note,
          finding.rule != "hardcoded-credential", !analysis.isReached(finding.location)
        {
          unreached.insert(path)
          return finding.with(severity: .note)
        }
        if Self.ofHands.contains(finding.rule) {
          if resources.isOnly(for: "appletv", path) { return finding.with(severity: .note) }
          if resources.isOnly(for: "macosx", path) {
            return finding.with(severity: min(finding.severity, .low))
          }
        }
        return StandIns.isDemonstration(path: path)
          ? finding.with(severity: finding.severity.lowered)
          : StandIns.isTemplate(path: path)
            ? finding.with(severity: min(finding.severity, .low)) : finding
      }, skipped: skipped,
      leftOut: leftOut + unchecked + silenced + tested
        + unreached.map { .init(reason: .unreached, path: $0) },
      writes: results.writes + Self.writes(in: resources),
      secrets: results.secrets + secrets.joined().flatMap(\.secrets))
  }

  /// Returns the attributes of the data models, which the database stores.
  private static func writes(in resources: ProjectResources) -> [StorageWrite] {
    resources.dataModels.filter { !resources.isTestOnly($0.path) }.flatMap { model in
      model.entities.flatMap { entity in
        entity.attributes.map {
          StorageWrite(.attribute(entity: entity.name, name: $0.name), at: $0.location)
        }
      }
    }
  }
}
