import Foundation
import Testing

/// A process is killed at the beginning of each call that changes a file. The folder then opens as
/// before the write or as after it, and no write that returned is lost.
@Suite(.enabled(if: Recording.isPossible)) struct KillPointTests {
  /// One of the scenarios is a wrong passcode: an attempt that was tried has been counted.
  @Test(arguments: PowerScenario.all)
  func theStoreIsWholeBeforeOrAfter(_ scenario: PowerScenario) throws {
    let start = try scenario.make()
    let whole = try start.copy()
    let recording = try Recording(of: scenario.program(whole), in: whole)
    let calls = try #require(recording.calls.last)
    let answers = zip(recording.events, recording.calls).compactMap { event, call in
      if case .said = event { call } else { nil }
    }
    // The number of calls may vary by a few from run to run.
    let points =
      Worker.isFull
      ? Array(1...calls + 8) : (0..<6).map { 1 + $0 * calls / 6 } + answers.suffix(2)
    var kills = 0
    var faults: [String] = []
    for point in points {
      let scratch = try start.copy()
      let recording = try Recording(of: scenario.program(scratch), in: scratch, killAt: point)
      if recording.status == 128 + Int(SIGKILL) {
        kills += 1
      } else if point < calls / 2 {
        faults.append("killed at \(point): it ended with \(recording.status ?? -1)")
      }
      let answered = scenario.answered(recording.events[...])
      if let fault = try scenario.fault(answered: answered, { try scratch.copy() }) {
        let last = recording.events.dropLast().last?.words ?? "the start"
        faults.append("killed at \(point) (after \(last)), \(answered) answered: \(fault)")
      }
    }
    print(
      "kill points, \(scenario.name): \(calls) calls, \(kills) kills, \(faults.count) not whole")
    for fault in faults.prefix(5) { Issue.record("\(scenario.name): \(fault)") }
    #expect(faults.isEmpty && kills > 0)
    withExtendedLifetime((start, whole)) {}
  }
}
