import Foundation
import Testing

/// Programs that omit a flush. The power-loss tests must find fault with them; otherwise they would
/// find fault with nothing.
@Suite(.enabled(if: Recording.isPossible)) struct PowerLossControlTests {
  /// Puts the files of a store with another passcode in place, without one of the flushes.
  @Test(arguments: ["file", "folder", "order"])
  func aCarelessProgramIsFound(_ lack: String) throws {
    let scenario = try PowerScenario.named("a change of passcode")
    let scratch = try scenario.make()
    let changed = try scratch.copy()
    try PowerScenario.run(changed, scenario.program(changed))
    let program = [
      try Worker.binary("atrest-torture-worker").path, "careless", scratch.store.path,
      scratch.device.path, changed.folder.path, lack,
    ]
    let start = try Disk(copying: scratch.folder)
    let recording = try Recording(of: program, in: scratch)
    #expect(recording.status == 0)
    let loss = try PowerLoss(scenario, start: start, events: recording.events, seeds: 2)
    // After the last call, the write has returned.
    let cases = loss.cases.filter { $0.answered == 1 }
    let faults = try loss.faults(scenario, in: cases)
    #expect(!faults.isEmpty, "\(cases.count) states are whole")
    withExtendedLifetime(changed) {}
  }

  /// The recording of a real write from which all flushes of one kind were removed.
  @Test(arguments: ["an add", "a change of passcode", "a wrong passcode"], [true, false])
  func aWriteWithoutItsFlushesIsFound(_ name: String, ofFiles: Bool) throws {
    let scenario = try PowerScenario.named(name)
    let scratch = try scenario.make()
    let program = try scenario.program(scratch)
    let start = try Disk(copying: scratch.folder)
    let events = try Recording(of: program, in: scratch).events.filter { event in
      switch event {
      case .flush: !ofFiles
      case .flushFolder: ofFiles
      default: true
      }
    }
    let loss = try PowerLoss(scenario, start: start, events: events, seeds: 2)
    let faults = try loss.faults(scenario, in: loss.cases.filter { $0.answered == 1 })
    #expect(!faults.isEmpty)
  }
}
