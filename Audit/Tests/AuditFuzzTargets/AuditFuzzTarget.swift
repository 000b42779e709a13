import AtRestAudit
import AtRestAuditResources
import Foundation

/// The readers of a project's files. Each target is one kind of file.
package enum AuditFuzzTarget: String, CaseIterable, Sendable {
  case swift
  case objectiveC = "objective-c"
  case objectiveCPlusPlus = "objective-c++"
  case interface
  case propertyList = "property-list"
  case entitlements, strings
  case dataModel = "data-model"
  case project
  case buildSettings = "build-settings"
  case json
  case pods, packages, carthage, advisories, settings, baseline, key

  /// A wrong result, such as a finding outside its file.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads one input as a file of this kind. A project's file is audited, and reports are written.
  ///
  /// - Throws: ``Fault`` if a result is wrong, or an error that no input may cause.
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
        throw Fault(description: "\(finding.rule) is at \(start) of \(lines) lines.")
      }
    }
    _ = SARIFReport().text(of: report, rules: Rulebook.all)
    _ = HTMLReport().text(of: report, rules: Rulebook.all)
  }

  /// A name by which the auditor recognises a file of this kind.
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
