import AtRestAudit
import Foundation
import Testing

@Suite struct AuditTests {
  @Test func ordersFindingsByPlace() throws {
    var files: [String: String] = [:]
    for number in 0..<200 {
      files["F\(number).swift"] = "FIND(weak-kdf) FIND(log-sensitive)\n\nFIND(hardcoded-key)\n"
    }
    let first = try MarkEngine.report(files)
    #expect(first.findings.count == 600)
    #expect(
      zip(first.findings, first.findings.dropFirst()).allSatisfy {
        ($1.severity, $0.location.path) <= ($0.severity, $1.location.path)
      })
    #expect(try MarkEngine.report(files).findings == first.findings)
    #expect(first.statistics.files == 200)
    #expect(first.statistics.swiftLines == 600)
  }

  @Test func saysWhatCouldNotBeRead() throws {
    let huge = String(repeating: "x", count: (10 << 20) + 1)
    let report = try MarkEngine.report(["Huge.swift": huge, "Odd.swift": "SKIP", "B.swift": ""])
    #expect(report.skipped.map(\.path) == ["Huge.swift", "Odd.swift"])
    #expect(report.skipped[0].reason.contains("10 MiB"))
    var settings = Settings()
    #expect(!report.fails(settings))
    settings.isStrict = true
    #expect(report.fails(settings))
  }

  @Test func saysWhichFolderCouldNotBeRead() throws {
    let report = try Audit(
      tree: SourceTree(folder: "/nowhere/at/all"), engine: MarkEngine.engine
    ).run()
    #expect(report.skipped.count == 1)
  }

  @Test(arguments: [
    (Severity.high, false), (.medium, true), (.low, true), (.note, true), (nil, false),
  ])
  func failsAtItsLimit(limit: Severity?, fails: Bool) throws {
    var settings = Settings()
    settings.failOn = limit
    let report = try MarkEngine.report(["A.swift": "FIND(log-sensitive)"], settings)
    #expect(report.fails(settings) == fails)
  }

  @Test func takesSeveritiesFromTheSettings() throws {
    var settings = Settings()
    settings.severities = ["weak-kdf": .high, "log-sensitive": nil]
    let files = ["A.swift": "FIND(weak-kdf) FIND(log-sensitive) FIND(hardcoded-key)"]
    let report = try MarkEngine.report(files, settings)
    #expect(report.findings.map(\.rule) == ["hardcoded-key", "weak-kdf"])
    #expect(report.findings.allSatisfy { $0.severity == .high })
    settings.onlyRules = ["hardcoded-key"]
    #expect(try MarkEngine.report(files, settings).findings.map(\.rule) == ["hardcoded-key"])
  }

  @Test func keepsWhatIsInChangedFiles() throws {
    let folder = try TestFolder([
      "Old.swift": "FIND(log-sensitive)\n", "Changed.swift": "FIND(log-sensitive)\n",
      "sub/Gone.swift": "FIND(log-sensitive)\n",
    ])
    try folder.git("init", "-q")
    try folder.git("add", "-A")
    try folder.git("commit", "-qm", "first")
    try folder.write("Changed.swift", "\nFIND(log-sensitive)\n")
    try folder.write("sub/New.swift", "FIND(log-sensitive)\n")
    try FileManager.default.removeItem(atPath: folder.path + "/sub/Gone.swift")
    var audit = Audit(tree: SourceTree(folder: folder.path), engine: MarkEngine.engine)
    audit.changedSince = "HEAD"
    let report = try audit.run()
    #expect(report.findings.map(\.location.path) == ["Changed.swift", "sub/New.swift"])
    #expect(report.leftOut == [.init(reason: .unchanged, path: "Old.swift")])
    #expect(report.statistics.files == 3)

    // Paths are relative to the audited folder, even if it is only a part of the work tree.
    var part = Audit(tree: SourceTree(folder: folder.path + "/sub"), engine: MarkEngine.engine)
    part.changedSince = "HEAD"
    #expect(try part.run().findings.map(\.location.path) == ["New.swift"])

    for revision in ["nothing-here", "--output=x", ""] {
      audit.changedSince = revision
      #expect(throws: AuditError.self) { try audit.run() }
    }
  }
}
