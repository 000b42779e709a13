import Foundation
import Testing

/// A wipe is killed, or the disk is full, while the device key is in a TPM. The wipe is finished by the
/// next one, and a new store can be created in the same place.
@Suite(.enabled(if: LifeTPM.isInstalled && Recording.isPossible)) struct KilledWipeWithTPMTests {
  @Test(arguments: [false, true]) func aNewStoreIsPossible(isFull: Bool) throws {
    let life = try Life(seed: 3)
    // Each point cuts the TPM's power, and a fast machine does so more than once a second.
    life.tpms[0] = try LifeTPM(attemptLimit: 30_000)
    try make(life)
    let move = life.command("move", ["device", "move", "tpm", "--no-backup"])
    #expect(try life.execute(move, .none).status == 0)
    var point = 1
    var hits = 0
    while point < 200 {
      let fault = isFull ? ["0", "\(point)", "\(ENOSPC)", "1"] : ["\(point)", "0", "0", "0"]
      let wipe = LifeStep("wipe", .command(["wipe", "--yes"], input: ""))
      let outcome = try life.programs.run(
        life.programs.command, ["wipe", "--yes"], on: life.machine, tpm: life.tpm, fault: fault)
      try life.tpms[0]?.restart()
      if outcome.isHit { hits += 1 }
      let again = try life.execute(wipe, .none)
      #expect([0, 3].contains(again.status), "at \(point): \(again.notes)")
      #expect(try !life.read([Self.passcode]).isDone)
      try make(life, "at \(point)")
      guard outcome.isHit else { break }
      point += Worker.isFull ? 1 : 3
    }
    // Control: it did go wrong, at more than the first call.
    #expect(hits > 3)
  }

  private static let passcode = "otter under 5 iron lids"

  private func make(_ life: Life, _ comment: Comment = "at the start") throws {
    let step = life.worker("init", "init", ["new": Self.passcode, "passcodes": ""])
    let outcome = try life.execute(step, .none)
    try #require(outcome.status == 0, "\(comment.rawValue): \(outcome.output)")
    life.machine.passcode = Self.passcode
    let reading = try life.read([Self.passcode])
    #expect(reading.isDone, "\(comment.rawValue): \(reading.message)")
  }
}
