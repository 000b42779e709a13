import Foundation
import Testing

/// A move of the device key into the TPM is killed, or the disk fails. The store opens afterwards, and the key can be
/// moved.
@Suite(.enabled(if: LifeTPM.isInstalled && Recording.isPossible)) struct KilledMoveTests {
  @Test(arguments: [false, true]) func theStoreStillOpens(isFailing: Bool) throws {
    let life = try Life(seed: 3)
    let tpm = try LifeTPM(attemptLimit: 30_000)
    life.tpms[0] = tpm
    try run(life, ["init", "--no-passcode"])
    try run(life, ["add", "--service", "life1", "--account", "eva"], input: "a secret")
    let move = ["device", "move", "tpm", "--no-backup"]
    var point = 1
    var hits = 0
    while point < 200 {
      let fault = isFailing ? ["0", "\(point)", "\(EIO)", "1"] : ["\(point)", "0", "0", "0"]
      let outcome = try life.programs.run(
        life.programs.command, move, on: life.machine, tpm: tpm.transport, fault: fault)
      if outcome.isKilled { try tpm.restart() }
      if outcome.isHit { hits += 1 }
      let secret = try run(
        life, ["get", "--service", "life1", "--account", "eva"], "at \(point)")
      #expect(secret == "a secret")
      // From wherever it is now.
      if try run(life, ["device", "status"]).hasPrefix("Device key: in a file") {
        try run(life, move, "at \(point)")
      }
      try run(life, ["device", "move", "file", "--no-backup"], "at \(point)")
      guard outcome.isHit else { break }
      point += Worker.isFull ? 1 : 3
    }
    // Control: it did go wrong, at more than the first call.
    #expect(hits > 3)
  }

  @discardableResult private func run(
    _ life: Life, _ arguments: [String], _ comment: String = "", input: String = ""
  ) throws -> String {
    let outcome = try life.programs.run(
      life.programs.command, arguments, input: input, on: life.machine,
      tpm: life.tpms[0]?.transport)
    try #require(outcome.status == 0, "\(arguments) \(comment): \(outcome.notes)")
    return outcome.output
  }
}
