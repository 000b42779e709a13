import Foundation
import KeyServerFuzzTargets
import Testing

@Suite struct ReplayTests {
  /// Inputs from fuzzing that together reach all covered code.
  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FuzzCorpora")

  @Test(arguments: KeyServerFuzzTarget.allCases)
  func `The corpus is read or refused`(target: KeyServerFuzzTarget) throws {
    let folder = Self.corpora.appendingPathComponent(target.rawValue)
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    let fuzzer = try KeyServerFuzzer(target)
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") {
        try fuzzer.run(Data(contentsOf: input))
      }
    }
    // The control: honest inputs are in it.
    #expect(fuzzer.acceptedCount > 0)
  }

  @Test(arguments: KeyServerFuzzTarget.allCases)
  func `Honest inputs that are cut off or changed are read or refused`(
    target: KeyServerFuzzTarget
  ) throws {
    let fuzzer = try KeyServerFuzzer(target)
    for seed in try fuzzer.seeds() {
      for count in stride(from: 0, to: seed.count, by: target == .server ? 7 : 1) {
        #expect(throws: Never.self) { try fuzzer.run(seed.prefix(count)) }
        var changed = seed
        changed[changed.startIndex + count] ^= 0x81
        #expect(throws: Never.self) { try fuzzer.run(changed) }
      }
      #expect(throws: Never.self) { try fuzzer.run(seed + [0]) }
    }
    let accepted = fuzzer.acceptedCount
    for seed in try fuzzer.seeds() { try fuzzer.run(seed) }
    #expect(fuzzer.acceptedCount > accepted)
  }
}
