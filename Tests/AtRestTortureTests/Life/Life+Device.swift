import Foundation

/// Steps that concern the device: its key, its databases' keys, and the other machine.
extension Life {
  /// Moves the device key into the TPM, or back into a file.
  func moveKey() throws {
    guard LifeTPM.isInstalled else { return }
    if tpms[current] == nil { tpms[current] = try LifeTPM() }
    let other: LifeMachine.Root = machine.root == .tpm ? .file : .tpm
    var step = command("move", ["device", "move", other.rawValue, "--no-backup"])
    step.isShared = false
    if holder != nil || agent != nil {
      // A key in use does not move.
      step.codes = [1]
      judge(step, try execute(step, .none))
      try resolve([step], isHit: false)
      guard report.faults.isEmpty else { return }
      step.codes = [0]
      endPrograms()
    }
    let outcome = try execute(step, LifeFault(using: &generator))
    judge(step, outcome)
    if outcome.status == 0 {
      machine.root = other
    } else if try read(machine.passcode.map { [$0] } ?? []).values["root"] == other.rawValue {
      machine.root = other
    }
    try resolve([], isHit: false)
  }

  /// Draws a new key for a database. A program that has it open makes the step fail, or gets errors later.
  func rekey() throws {
    let name = chance(50) ? "a" : "b"
    var step = command(
      "rekey", ["database", "rekey"] + databaseOptions(name) + [machine.database(name)])
    step.isShared = false
    try perform(step)
  }

  /// Goes on with the other machine.
  func travel() throws {
    guard !backups.isEmpty else { return try makeBackup() }
    report.count("travel")
    endPrograms()
    current = 1 - current
    if machine.isAlive { try resolve([], isHit: false) } else { try begin() }
  }
}
