import AtRestAudit
import Foundation
import Testing

@Suite struct BaselineTests {
  private let before = [
    "A.swift": "a FIND(log-sensitive)\na FIND(log-sensitive)\nb FIND(weak-kdf)\n",
    "B.swift": "c FIND(log-sensitive)\n",
  ]

  private func baseline() throws -> Baseline {
    let json = Baseline(try MarkEngine.report(before)).json
    return try Baseline(json: json, path: "baseline.json")
  }

  @Test func knowsWhatItHas() throws {
    let report = try MarkEngine.report(before, baseline: baseline())
    #expect(report.findings.isEmpty && report.mended.isEmpty)
    #expect(report.known.count == 4)
    #expect(Baseline(report) == (try baseline()))
  }

  @Test func survivesMovedLinesAndBlanks() throws {
    var after = before
    after["A.swift"] =
      "\n\n  b   FIND(weak-kdf)\n\n    a FIND(log-sensitive)\na FIND(log-sensitive)\n"
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.findings.isEmpty && report.mended.isEmpty)
  }

  @Test func tellsANewOneOfTheSameKind() throws {
    var after = before
    after["A.swift"]! += "a FIND(log-sensitive)\n"
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.findings.map(\.location.start.line) == [4])
  }

  @Test func survivesAMovedFile() throws {
    var after = before
    after["Sub/C.swift"] = after.removeValue(forKey: "B.swift")
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.findings.isEmpty && report.mended.isEmpty)
  }

  @Test func doesNotGuessWhichFileMoved() throws {
    var after = before
    after["C.swift"] = after.removeValue(forKey: "B.swift")
    after["D.swift"] = after["C.swift"]
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.findings.map(\.location.path) == ["C.swift", "D.swift"])
    #expect(report.mended.map(\.path) == ["B.swift"])
  }

  @Test func doesNotTakeACopyForAMove() throws {
    var after = before
    after["C.swift"] = after["B.swift"]
    let known = try baseline()
    let report = try MarkEngine.report(after, baseline: known)
    #expect(report.findings.map(\.location.path) == ["C.swift"])
    // The same holds if only the copy is audited.
    let part = try MarkEngine.report(after, baseline: known, paths: ["C.swift"])
    #expect(part.findings.map(\.location.path) == ["C.swift"])
    #expect(part.mended.isEmpty)
  }

  @Test func dropsWhatIsMended() throws {
    var after = before
    after["B.swift"] = "c\n"
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.mended.map(\.rule) == ["log-sensitive"])
    let updated = try baseline().updated(by: report)
    #expect(updated.findings.count == 3)
    #expect(try MarkEngine.report(after, baseline: updated).mended.isEmpty)
  }

  @Test func isNotChangedByASuppressionBefore() throws {
    var after = before
    after["A.swift"] =
      "a FIND(log-sensitive)\n// atrest:ignore log-sensitive ok\na FIND(log-sensitive)\nb FIND(weak-kdf)"
    let report = try MarkEngine.report(after, baseline: baseline())
    #expect(report.findings.isEmpty)
    #expect(report.mended.count == 1)
  }

  @Test(arguments: ["", "[]", "{}", "{\"version\": 2, \"findings\": []}", "{\"version\": 1}"])
  func refusesWhatIsNone(text: String) {
    #expect(throws: AuditError.self) { try Baseline(json: Data(text.utf8), path: "b.json") }
  }
}
