import AtRestAudit
import AuditFuzzTargets
import Foundation
import Testing

/// Files that are broken or made to break: nothing crashes, hangs, or stands outside of its file.
@Suite struct HostileFileTests {
  /// In all more than 20,000 files in release; a debug build is slower by far.
  private static var rounds: Int {
    #if DEBUG
      20
    #else
      1000
    #endif
  }

  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FuzzCorpora")

  private func inputs(_ target: AuditFuzzTarget) throws -> [Data] {
    let folder = Self.corpora.appendingPathComponent(target.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try Data(contentsOf: folder.appendingPathComponent($0))
    }
  }

  @Test(arguments: AuditFuzzTarget.allCases) func corpusIsRead(_ target: AuditFuzzTarget) throws {
    let inputs = try inputs(target)
    #expect(!inputs.isEmpty)
    for input in inputs { try target.run(input) }
  }

  @Test(arguments: AuditFuzzTarget.allCases) func changesAreSurvived(_ target: AuditFuzzTarget)
    throws
  {
    var random = SeededRandom(seed: 2026)
    for input in try inputs(target) {
      let bytes = Array(input)
      for _ in 0..<Self.rounds { try target.run(Data(Mutation.of(bytes, &random))) }
      for _ in 0..<(Self.rounds / 5) {
        try target.run(Data(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
      }
    }
  }
}
