import AtRestAudit
import AtRestAuditResources
import Foundation

/// What reads sources of others, one kind of file each.
package enum AuditFuzzTarget: String, CaseIterable, Sendable {
  case swift, objectiveC = "objective-c", objectiveCPlusPlus = "objective-c++"
  case interface, propertyList = "property-list", entitlements, strings
  case dataModel = "data-model", project, buildSettings = "build-settings", json
  case pods, packages, carthage, advisories, settings, baseline, key

  /// Something that was read, and is not what it should be.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads one input as a file of this kind, judges it and reports on it.
  ///
  /// - Throws: ``Fault``, or what no bytes may cause.
  package func run(_ input: Data) throws {
    switch self {
    case .advisories:
      _ = AdvisoryDatabase(files: [("A.json", input)])
      _ = try? AdvisoryDatabase.read(zip: input)
    case .settings: _ = try? Settings(yaml: String(decoding: input, as: UTF8.self))
    case .baseline: _ = try? Baseline(json: input, path: "b.json")
    default: try audit(input)
    }
  }

  private func audit(_ input: Data) throws {
    let report = try Audit(tree: SourceTree(data: [path: input])).run()
    let lines = input.count { $0 == 0x0A } + 1
    for finding in report.findings + report.suppressed.map(\.finding) {
      let start = finding.location.start
      guard start.line >= 1, start.column >= 1, start <= finding.location.end, start.line <= lines
      else {
        throw Fault(description: "\(finding.rule) stands at \(start) of \(lines) lines.")
      }
    }
    _ = SARIFReport().text(of: report, rules: Rulebook.all)
    _ = HTMLReport().text(of: report, rules: Rulebook.all)
  }

  /// The name under which the auditor takes a file for one of this kind.
  private var path: String {
    switch self {
    case .swift: "A.swift"
    case .objectiveC: "A.m"
    case .objectiveCPlusPlus: "A.mm"
    case .interface: "A.xib"
    case .propertyList: "Info.plist"
    case .entitlements: "A.entitlements"
    case .strings: "A.strings"
    case .dataModel: "A.xcdatamodeld/A.xcdatamodel/contents"
    case .project: "A.xcodeproj/project.pbxproj"
    case .buildSettings: "A.xcconfig"
    case .json: "A.json"
    case .pods: "Podfile.lock"
    case .packages: "Package.resolved"
    case .carthage: "Cartfile.resolved"
    case .key: "A.pem"
    default: ""
    }
  }
}
