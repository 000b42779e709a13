import Foundation

/// Steps that concern the store as a whole: its beginning, its passcode, its backups and its end.
extension Life {
  // MARK: Beginning

  /// Creates a store on a machine that has none, and restores a backup if there is one.
  func begin() throws {
    let isFirst = backups.isEmpty
    machine.passcode = nil
    machine.formerPasscodes = []
    machine.doubts = [:]
    machine.entries = [:]
    try emptyData()
    let passcode = isFirst || chance(80) ? newPasscode() : nil
    var fields: [String: String] = ["passcodes": ""]
    fields["new"] = passcode
    let step = worker("init", "init", fields)
    let outcome = try execute(step, LifeFault(using: &generator))
    judge(step, outcome)
    if outcome.status != 0 {
      // Nothing that was acknowledged is in it yet, so what matters is that it can be created now.
      let reading = try read(passcode.map { [$0] } ?? [])
      if !reading.isDone {
        guard ["not-found", "store-missing", "wiped"].contains(reading.code) else {
          return report.fault("after a failed init: \(reading.code) \(reading.message)")
        }
        let again = try execute(step, .none)
        judge(step, again)
      }
    }
    machine.isAlive = true
    machine.passcode = passcode
    try resolve([], isHit: false)
    guard report.faults.isEmpty else { return }
    try checkCounters()
    if !isFirst, chance(90), let backup = pick(backups.suffix(4)) { return try restore(backup) }
    try makeDatabases()
  }

  /// Stores that were wiped, or never came to be, use nothing in the TPM.
  private func checkCounters() throws {
    guard machine.root == .tpm else { return }
    let step = LifeStep("counters", .command(["device", "counters"], input: ""))
    let outcome = try execute(step, .none)
    judge(step, outcome)
    let count = outcome.output.split(separator: "\n").count { $0.contains("  store ") }
    if count != 1 { report.fault("\(count) stores have a counter: \(outcome.output)") }
  }

  private func makeDatabases() throws {
    for (name, mode) in [("a", nil), ("b", "WAL")] {
      var step = worker("database", "database-make", ["name": name, "mode": mode ?? "DELETE"])
      step.takesFaults = false
      judge(step, try execute(step, .none))
    }
    try resolve([], isHit: false)
  }

  /// Brings back a backup in a new store, with the data of the same moment.
  private func restore(_ backup: LifeBackup) throws {
    let expected = backup.entries(on: machine)
    var step = command(
      "restore",
      ["restore", backup.file.path, "--passphrase-file", try programs.file(LifeBackup.passphrase)])
    step.effects = expected.filter { $0.key.hasPrefix("item/") || $0.key.hasPrefix("key/") }
      .mapValues { $0 }
    step.isAtomic = true
    let outcome = try execute(step, LifeFault(using: &generator))
    judge(step, outcome)
    try resolve([step], isHit: outcome.status != 0)
    guard report.faults.isEmpty else { return }
    if machine.entries.isEmpty, !step.effects.isEmpty {
      judge(step, try execute(step, .none))
      try resolve([step], isHit: false)
    } else if outcome.status != 0, step.effects.isEmpty {
      // Whether something else was restored cannot be seen.
      step.codes = [0, 1]
      judge(step, try execute(step, .none))
    }
    guard report.faults.isEmpty else { return }
    try FileManager.default.removeItem(at: machine.data)
    try FileManager.default.copyItem(at: backup.data, to: machine.data)
    try? FileManager.default.removeItem(at: machine.data.appendingPathComponent("vault"))
    machine.entries = expected
    try resolve([], isHit: false)
  }

  private func emptyData() throws {
    try? FileManager.default.removeItem(at: machine.data)
    for name in ["files", "envelopes", "stamped"] {
      try FileManager.default.createDirectory(
        at: machine.data.appendingPathComponent(name), withIntermediateDirectories: true)
    }
  }

  // MARK: Passcode

  private func newPasscode() -> String { "otter under \(next()) iron lids" }

  func changePasscode() throws {
    let new = newPasscode()
    var step: LifeStep
    if machine.passcode == nil {
      step = worker("passcode set", "passcode-set", ["new": new])
      step.passcode = new
      step.again = [1]
    } else if chance(80) {
      step = command(
        "passcode change", ["passcode", "change", "--new-passcode-file", try programs.file(new)])
      step.passcode = new
      step.again = [5]
    } else {
      step = command("passcode remove", ["passcode", "remove", "--yes"])
      step.passcode = String?.none
      for (name, entry) in machine.entries where entry.needsPasscode {
        step.effects[name] = LifeEntry?.none
      }
      // There is none any more.
      step.again = [5]
    }
    step.isAtomic = true
    step.isShared = false
    try perform(step)
    // A change is announced before it is made, so one that failed locks open programs too.
    try tellOfPasscode()
  }

  // MARK: Backups

  func makeBackup() throws {
    let number = next()
    let file = scratch.folder.appendingPathComponent("backup-\(number)")
    var step = worker("backup", "backup", ["to": file.path, "passphrase": LifeBackup.passphrase])
    step.isShared = false
    try perform(step)
    guard report.faults.isEmpty, FileManager.default.fileExists(atPath: file.path) else { return }
    let data = scratch.folder.appendingPathComponent("data-\(number)")
    try FileManager.default.copyItem(at: machine.data, to: data)
    backups.append(
      LifeBackup(file: file, data: data, machine: machine.name, entries: machine.entries))
    if backups.count > 4 {
      let old = backups.removeFirst()
      try? FileManager.default.removeItem(at: old.file)
      try? FileManager.default.removeItem(at: old.data)
    }
  }
}
