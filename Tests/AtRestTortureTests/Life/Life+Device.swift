import Foundation

/// Steps that concern the device: its key, its databases' keys, and the other machine.
extension Life {
  /// Moves the device key into the TPM, or back into a file.
  func moveKey() throws {
    guard LifeTPM.isInstalled else { return }
    if tpms[current] == nil { tpms[current] = try LifeTPM(attemptLimit: 30_000) }
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

  /// Draws a new key for a database. A connection with a log, of the program that holds the store open, makes
  /// the step *busy*. An idle one without a log is not noticed: it ends with an error, and writes nothing.
  func rekey() throws {
    let name = chance(50) ? "a" : "b"
    var step = command(
      "rekey", ["database", "rekey"] + databaseOptions(name) + [machine.database(name)])
    step.isShared = false
    if holder != nil, name == "b" {
      step.codes = [1]
      step.again = [1]
      step.refusal = "in use by another connection"
    }
    try perform(step)
    guard report.faults.isEmpty, let holder else { return }
    let values = try holder.perform(["verb": "held"]).values
    if name == "a", values["database/a"]?.hasPrefix("!sqlite-1032 ") == true {
      return endHolder()
    }
    try checkHolder()
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
