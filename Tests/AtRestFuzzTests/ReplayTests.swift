import AtRestFuzzTargets
import Foundation
import Testing

@Suite struct ReplayTests {
  /// Inputs that fuzzing found to reach all that it reached, and those that ended in a crash once.
  private static let corpora = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FuzzCorpora")

  /// What a parser does not take it refuses with an `AtRestError`.
  @Test(arguments: FuzzTarget.allCases) func corpusIsReadOrRefused(_ target: FuzzTarget) throws {
    let folder = Self.corpora.appendingPathComponent(target.rawValue)
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    let fuzzer = try Fuzzer(target)
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") {
        try fuzzer.run(Data(contentsOf: input))
      }
    }
  }

  /// Honest input gets through: else nothing but the first refusal would be fuzzed.
  @Test(arguments: FuzzTarget.allCases) func honestInputIsRead(_ target: FuzzTarget) throws {
    let fuzzer = try Fuzzer(target)
    try fuzzer.run(#require(fuzzer.seeds().first))
    #expect(fuzzer.acceptedCount > 0)
  }
}
