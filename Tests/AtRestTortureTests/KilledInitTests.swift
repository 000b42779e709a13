import Foundation
import Testing

/// `atrest init` is killed at each call that changes a file, or the disk is full from there on. The store is
/// there and opens, or it can be created.
@Suite(.enabled(if: Recording.isPossible)) struct KilledInitTests {
  @Test(arguments: [false, true]) func theStoreIsThereOrNot(isFull: Bool) throws {
    let life = try Life(seed: 1)
    var point = 1
    var outcomes: Set<Bool> = []
    while true {
      try? FileManager.default.removeItem(at: life.machine.store)
      try? FileManager.default.removeItem(at: life.machine.device)
      let fault = isFull ? ["0", "\(point)", "\(ENOSPC)", "1"] : ["\(point)", "0", "0", "0"]
      let killed = try run(life, ["init", "--no-passcode"], fault)
      let listed = try run(life, ["list"])
      outcomes.insert(listed.status == 0)
      if listed.status != 0 {
        #expect(listed.status == 3, "at \(point): \(listed.notes)")
        let made = try run(life, ["init", "--no-passcode"])
        #expect(made.status == 0, "at \(point): \(made.notes)")
      }
      let added = try run(life, ["add", "--service", "s", "--account", "a"])
      #expect(added.status == 0, "at \(point): \(added.notes)")
      guard killed.isHit else { break }
      point += 1
    }
    // Control: some ended before the store was there, and some after it.
    #expect(outcomes == [true, false] && point > 10)
  }

  private func run(
    _ life: Life, _ arguments: [String], _ fault: [String]? = nil
  ) throws -> LifeOutcome {
    try life.programs.run(
      life.programs.command, arguments, input: "x", on: life.machine, tpm: nil, fault: fault)
  }
}
