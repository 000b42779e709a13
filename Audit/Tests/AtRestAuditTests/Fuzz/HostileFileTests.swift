import AuditFuzzTargets
import ContainerFuzzTargets
import Foundation
import Testing

/// Broken and hostile files: nothing crashes or hangs, and no finding is outside its file.
@Suite struct HostileFileTests {
  /// The number of changed files for each input. In release, more than 20,000 files are read in
  /// all; a debug build is much slower.
  private static var rounds: Int {
    #if DEBUG
      20
    #else
      1000
    #endif
  }

  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FuzzCorpora")

  private func inputs(_ name: String) throws -> [Data] {
    let folder = Self.corpora.appendingPathComponent(name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try Data(contentsOf: folder.appendingPathComponent($0))
    }
  }

  private func readCorpus(_ name: String, _ run: (Data) throws -> Void) throws {
    let inputs = try inputs(name)
    #expect(!inputs.isEmpty)
    try inputs.forEach(run)
  }

  private func readChanges(_ name: String, _ run: (Data) throws -> Void) throws {
    var random = SeededRandom(seed: 2026)
    for input in try inputs(name) {
      let bytes = Array(input)
      for _ in 0..<Self.rounds { try run(Data(Mutation.of(bytes, &random))) }
      for _ in 0..<(Self.rounds / 5) {
        try run(Data(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
      }
    }
  }

  @Test(arguments: AuditFuzzTarget.allCases) func sourcesAreRead(_ target: AuditFuzzTarget) throws {
    try readCorpus(target.rawValue, target.run)
  }

  @Test(arguments: AuditFuzzTarget.allCases)
  func changesOfSourcesAreSurvived(_ target: AuditFuzzTarget) throws {
    try readChanges(target.rawValue, target.run)
  }

  @Test(arguments: ContainerFuzzTarget.allCases)
  func containersAreRead(_ target: ContainerFuzzTarget) throws {
    try readCorpus(target.rawValue, target.run)
  }

  @Test(arguments: ContainerFuzzTarget.allCases)
  func changesOfContainersAreSurvived(_ target: ContainerFuzzTarget) throws {
    try readChanges(target.rawValue, target.run)
  }
}
