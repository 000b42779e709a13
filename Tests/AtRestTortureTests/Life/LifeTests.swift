import Foundation
import Testing

/// The whole life of a store, in which its parts meet: see `Life`.
@Suite(.enabled(if: Recording.isPossible)) struct LifeTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// `ATREST_LIFE_SEED` and `ATREST_LIFE_STEPS` repeat a life.
  @Test func nothingIsLostAndNothingOutlivesAWipe() throws {
    // The short form takes the same steps each time, so that it says something about a change.
    let seed =
      Self.number("ATREST_LIFE_SEED") ?? (Worker.isFull ? UInt64.random(in: 0 ... .max) : 2)
    let steps = Self.number("ATREST_LIFE_STEPS").map { Int($0) } ?? (Worker.isFull ? 2_000 : 60)
    print("a life begins, seed \(seed)")
    let life = try Life(seed: seed)
    if !LifeTPM.isInstalled { print("a life without a TPM: swtpm is not installed") }
    if life.programs.agent == nil { print("a life without the agent: atrest-agent is not built") }
    try life.live(steps: steps)
    print(life.report.summary)
    if !life.report.faults.isEmpty { print(life.report.tail) }
    for fault in life.report.faults.prefix(5) { Issue.record("\(fault)") }
  }
}
