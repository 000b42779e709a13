import Foundation
import Testing

/// The creation of a store is killed, or the disk is full, while the device key is in a TPM. The store that
/// never came to be does not hold the key in the TPM.
@Suite(.enabled(if: LifeTPM.isInstalled && Recording.isPossible)) struct KilledInitWithTPMTests {
  @Test(arguments: [false, true]) func theKeyCanBeMovedAfterwards(isFull: Bool) throws {
    let life = try Life(seed: 3)
    let tpm = try LifeTPM(attemptLimit: 30_000)
    life.tpms[0] = tpm
    // The device key is in the TPM before the first of the stores.
    try run(life, ["init", "--no-passcode", "--device-root", "tpm"])
    var point = 1
    var hits = 0
    while point < 200 {
      try run(life, ["wipe", "--yes"])
      let fault = isFull ? ["0", "\(point)", "\(ENOSPC)", "1"] : ["\(point)", "0", "0", "0"]
      let create = ["init", "--no-passcode"]
      let outcome = try life.programs.run(
        life.programs.command, create, on: life.machine, tpm: tpm.transport, fault: fault)
      try tpm.restart()
      if outcome.isHit { hits += 1 }
      // The store is there, or it can be created now.
      if try execute(life, ["list"]).status != 0 { try run(life, create) }
      try run(life, ["device", "move", "file", "--no-backup"], "at \(point)")
      try run(life, ["device", "move", "tpm", "--no-backup"], "at \(point)")
      // The store that never came to be has no counter. One that was just made, and that no file names yet,
      // is that of nobody, and can be freed.
      let counters = try execute(life, ["device", "counters"]).output.split(separator: "\n")
      #expect(counters.count { $0.contains("  store ") } == 1, "at \(point): \(counters)")
      #expect(counters.count { $0.hasSuffix("this device folder") } == 1)
      guard outcome.isHit else { break }
      point += Worker.isFull ? 1 : 7
    }
    // Control: it did go wrong, at more than the first call.
    #expect(hits > 3)
  }

  private func execute(_ life: Life, _ arguments: [String]) throws -> LifeOutcome {
    try life.programs.run(
      life.programs.command, arguments, on: life.machine, tpm: life.tpms[0]?.transport)
  }

  private func run(_ life: Life, _ arguments: [String], _ comment: String = "") throws {
    let outcome = try execute(life, arguments)
    try #require(outcome.status == 0, "\(arguments) \(comment): \(outcome.notes)")
  }
}
