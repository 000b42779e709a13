import Foundation
import Testing

/// Power is lost after each system call of a write. Whichever unflushed changes the disk kept, the
/// store opens as before the write or as after it, and no write that returned is lost.
@Suite(.enabled(if: Recording.isPossible)) struct PowerLossTests {
  @Test(arguments: PowerScenario.all)
  func theStoreIsWholeBeforeOrAfter(_ scenario: PowerScenario) throws {
    let scratch = try scenario.make()
    let program = try scenario.program(scratch)
    let start = try Disk(copying: scratch.folder)
    let recording = try Recording(of: program, in: scratch)
    #expect(recording.unknown.isEmpty)
    #expect(scenario.answered(recording.events[...]) == scenario.models.count - 1)
    let loss = try PowerLoss(
      scenario, start: start, events: recording.events, seeds: Worker.isFull ? 6 : 2)
    let cases = Worker.isFull ? loss.cases : loss.sample(40)
    let faults = try loss.faults(scenario, in: cases)
    print(
      "power loss, \(scenario.name): \(recording.events.count) calls, \(loss.cases.count) states, "
        + "\(cases.count) opened, \(faults.count) not whole")
    for fault in faults.prefix(5) { Issue.record("\(scenario.name): \(fault)") }
    #expect(faults.isEmpty)
  }

  /// The numbers in the file `lock` are in memory that processes share, and no record has them.
  private static func contents(_ state: DiskState) -> Data {
    var state = state
    state.files.removeAll { $0.path.hasSuffix("/lock") }
    return state.digest
  }

  /// Tests the model of the disk: with everything kept, it has the contents of the folder.
  @Test(arguments: PowerScenario.all)
  func theModelHasWhatTheFolderHas(_ scenario: PowerScenario) throws {
    let scratch = try scenario.make()
    let program = try scenario.program(scratch)
    var disk = try Disk(copying: scratch.folder)
    for event in try Recording(of: program, in: scratch).events { try disk.apply(event) }
    let model = disk.afterPowerLoss(keepingNames: true, bytes: .everything)
    let folder = try Disk(copying: scratch.folder)
      .afterPowerLoss(keepingNames: true, bytes: .everything)
    #expect(model.files.map(\.path) == folder.files.map(\.path))
    #expect(Self.contents(model) == Self.contents(folder))
  }
}
