import AtRestFuzzTargets
import Foundation
import Testing

@Suite struct ReplayTests {
  /// Inputs from fuzzing that together reach all covered code, and inputs that once caused a crash.
  private static let corpora = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FuzzCorpora")

  /// A parser refuses an invalid input with an `AtRestError`.
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

  /// Honest inputs are accepted. Otherwise only the first check would be fuzzed.
  @Test(arguments: FuzzTarget.allCases) func honestInputIsRead(_ target: FuzzTarget) throws {
    let fuzzer = try Fuzzer(target)
    try fuzzer.run(#require(fuzzer.seeds().first))
    #expect(fuzzer.acceptedCount > 0)
  }
}
