import AgentFuzzTargets
import Foundation
import Testing

/// The decoders read or refuse the inputs of the corpora, which fuzzing found.
struct ReplayTests {
  private static let corpora = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FuzzCorpora")

  @Test(arguments: AgentFuzzTarget.allCases)
  func corpusIsReadOrRefused(_ target: AgentFuzzTarget) throws {
    let inputs = try FileManager.default.contentsOfDirectory(
      at: Self.corpora.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") {
        try target.run(Data(contentsOf: input))
      }
    }
  }
}
