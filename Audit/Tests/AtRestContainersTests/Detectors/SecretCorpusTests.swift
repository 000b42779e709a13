import AtRestContainers
import Foundation
import Testing

@Suite struct SecretCorpusTests {
  private struct Case {
    let kind: String
    let name: String?
    let text: String
  }

  private static let cases: [Case] = {
    guard
      let url = Bundle.module.url(
        forResource: "secrets", withExtension: "tsv", subdirectory: "Fixtures/detectors"),
      let table = try? String(contentsOf: url, encoding: .utf8)
    else { return [] }
    return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let text = columns[2].replacingOccurrences(of: "{}", with: columns[2] == "{}" ? "{}" : "")
        .replacingOccurrences(of: #"\n"#, with: "\n").replacingOccurrences(of: #"\t"#, with: "\t")
      return Case(kind: columns[0], name: columns[1].isEmpty ? nil : columns[1], text: text)
    }
  }()

  @Test func theCorpusIsLarge() {
    #expect(Self.cases.count { $0.kind != "-" } >= 80)
    #expect(Self.cases.count { $0.kind == "-" } >= 120)
  }

  @Test func whatIsSensitiveIsFound() {
    for example in Self.cases where example.kind != "-" {
      let found = SecretDetector().detections(in: Array(example.text.utf8), name: example.name)
      #expect(found.contains { $0.kind.rawValue == example.kind }, "\(example): \(found)")
    }
  }

  @Test func whatIsHarmlessIsNot() {
    for example in Self.cases where example.kind == "-" {
      let found = SecretDetector().detections(in: Array(example.text.utf8), name: example.name)
      #expect(found.isEmpty, "\(example): \(found)")
    }
  }

  @Test func noDescriptionHoldsTheSecret() {
    for example in Self.cases where example.kind != "-" {
      let bytes = Array(example.text.utf8)
      for found in SecretDetector().detections(in: bytes, name: example.name) {
        let secret = String(decoding: bytes[found.range], as: UTF8.self)
        #expect(!"\(found)".contains(secret) && !"\(String(reflecting: found))".contains(secret))
      }
    }
  }
}
