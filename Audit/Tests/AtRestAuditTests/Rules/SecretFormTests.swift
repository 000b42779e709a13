import AtRestAudit
import AtRestContainers
@_spi(Testing) import AtRestSecrets
import Foundation
import Testing

/// Each part of the auditor finds the forms of secrets that the table promises, under neutral names, and no
/// others.
@Suite struct SecretFormTests {
  private static let samples = SecretSample.all

  /// Expects the rules about secrets to find the samples that they promise, each in a file of its own.
  private static func expect(
    _ consumer: SecretConsumer, in ending: String, _ file: (SecretSample) -> String
  ) throws {
    let files = Dictionary(
      uniqueKeysWithValues: samples.enumerated().map { ("Things\($0).\(ending)", file($1)) })
    let report = try Audit(tree: SourceTree(files: files), settings: Settings()).run()
    let found = Set(
      report.findings.filter { $0.rule.rawValue.hasPrefix("hardcoded-") }.map(\.location.path))
    for (index, sample) in samples.enumerated() {
      let isFound = found.contains("Things\(index).\(ending)")
      #expect(isFound == sample.isFound(consumer), "\(consumer): \(sample.name)")
    }
  }

  @Test func rulesAboutCodeFindThem() throws {
    try Self.expect(.code, in: "swift") { sample in
      let text = (sample.before + sample.text).replacing("\n", with: "\\n")
      return "struct Things {\n  let thing = \"\(text)\"\n}\n"
    }
  }

  @Test func rulesAboutPropertyListsFindThem() throws {
    try Self.expect(.propertyLists, in: "plist") { sample in
      let text = (sample.before + sample.text).replacing("\n", with: "&#10;")
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>Thing</key><string>\(text)</string></dict></plist>

        """
    }
  }

  @Test(arguments: SecretForm.Group.allCases)
  func detectorsOfContainersFindThem(_ group: SecretForm.Group) {
    for sample in Self.samples where sample.group == group {
      let start = "got \(sample.before)"
      let found = SecretDetector().detections(in: Array("\(start)\(sample.text), then".utf8))
      let range = start.utf8.count..<start.utf8.count + sample.text.utf8.count
      let isFound = found.contains { $0.range == range }
      #expect(isFound == sample.isFound(.containers), "\(sample.name): \(found)")
    }
  }

  @Test(arguments: SecretForm.Group.allCases)
  func reportsMaskThem(_ group: SecretForm.Group) {
    for sample in Self.samples where sample.group == group {
      var report = AuditReport(tree: SourceTree(name: "App", files: ["A.swift": "let a = 1\n"]))
      let place = Location(
        path: "A.swift", start: Position(line: 1, column: 1), end: Position(line: 1, column: 2))
      report.findings = [
        Finding(
          rule: "weak-kdf", severity: .low, location: place,
          message: "There is \(sample.before)\(sample.text) here.", anchor: "a")
      ]
      let text = JSONReport().text(of: report, rules: Rulebook.all)
      let written = sample.text.split(separator: "\n").max { $0.count < $1.count } ?? ""
      let isMasked = !text.contains(written.replacing("/", with: "\\/")) && !text.contains(written)
      #expect(isMasked == sample.isFound(.reports), "\(sample.name)")
    }
  }
}
