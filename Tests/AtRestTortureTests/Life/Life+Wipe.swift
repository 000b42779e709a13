import Foundation

extension Life {
  /// The codes with which everything ends after a wipe.
  private static let ends: Set<String> = ["wiped", "not-found", "store-missing"]

  /// Destroys the store while programs have it open. Nothing can be read afterwards, by nobody and from
  /// no copy.
  func wipe() throws {
    // A life goes on from a backup.
    guard !backups.isEmpty else { return try makeBackup() }
    let remains = scratch.folder.appendingPathComponent("remains")
    try? FileManager.default.removeItem(at: remains)
    try FileManager.default.copyItem(at: machine.store, to: remains)
    let isInTransaction = try beginHeldTransaction()
    var step = LifeStep("wipe", .command(["wipe", "--yes"], input: ""))
    step.again = [3]
    let outcome = try execute(step, LifeFault(using: &generator))
    judge(step, outcome)
    if outcome.status != 0 {
      let reading = try read(machine.passcode.map { [$0] } ?? [])
      if reading.isDone {
        try resolve([], isHit: false)
        guard report.faults.isEmpty else { return }
      } else if !Self.ends.contains(reading.code) {
        report.fault("after a wipe that failed: \(reading.code) \(reading.message)")
      }
      var again = step
      again.codes = reading.isDone ? [0] : [0, 3]
      judge(again, try execute(again, .none))
    }
    if isInTransaction { try endHeldTransaction() }
    try checkWiped(remains)
    machine.isAlive = false
  }

  /// Lets the program that holds the store open begin a transaction that it does not end, if it has a database
  /// open. Returns true if it has begun.
  private func beginHeldTransaction() throws -> Bool {
    let name = chance(50) ? "a" : "b"
    guard chance(50), let holder, machine.hasDatabase(name) else { return false }
    let mark = scratch.folder.appendingPathComponent("runs/mark-\(next())").path
    try holder.send(["verb": "held-transaction", "name": name, "mark": mark])
    report.count("held transaction")
    while holder.isRunning, !FileManager.default.fileExists(atPath: mark) { usleep(1_000) }
    return true
  }

  /// The transaction is interrupted by a wipe, and the program lives on.
  private func endHeldTransaction() throws {
    let answer = try holder?.answer()
    if answer?.code != "sqlite-9" {
      report.fault(
        "in a transaction: \(answer?.code ?? "the program ended") \(answer?.message ?? "")")
    }
  }

  private func checkWiped(_ remains: URL) throws {
    if LifePromise.wipeReachesPrograms.isKept { try checkHolderAfterWipe() } else { endHolder() }
    try checkAgentAfterWipe()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: machine.store.path)) ?? []
    let made = names.filter { $0.hasPrefix("keychain") || $0.hasPrefix("keybag") }
    if !made.isEmpty { report.fault("in the folder of the wiped store are \(made)") }
    let reading = try read(machine.passcode.map { [$0] } ?? [])
    if reading.isDone || !Self.ends.contains(reading.code) {
      report.fault("the wiped store is \(reading.code): \(reading.message)")
    }
    // Nor with a copy from before.
    try? FileManager.default.removeItem(at: machine.store)
    try FileManager.default.copyItem(at: remains, to: machine.store)
    let copy = try read(machine.passcode.map { [$0] } ?? [])
    if copy.isDone || copy.code != "wiped" {
      report.fault("a copy of the wiped store is \(copy.code): \(copy.message)")
    }
    try FileManager.default.removeItem(at: machine.store)
  }
}
