import Foundation

extension Life {
  /// Takes the store's folder or the device's away for a while, as a disk that is not mounted. Absence is
  /// not newness: nothing is made in its place, and nothing is changed when it is back.
  func miss() throws {
    let folder = chance(50) ? machine.store : machine.device
    guard folder == machine.store || LifePromise.missingDeviceIsTold.isKept else { return }
    endPrograms()
    let away = machine.folder.appendingPathComponent("away")
    try FileManager.default.moveItem(at: folder, to: away)
    let place = ItemPlace("life1", "late")
    let list = [
      command("get while missing", ["get"] + place.options),
      command("add while missing", ["add"] + place.options, input: "late"),
      command("status while missing", ["status"]),
    ]
    for step in list {
      guard case .command(let arguments, let input) = step.run else { continue }
      // `status` needs no passcode.
      let words = arguments[0] == "status" ? ["status"] : arguments
      let outcome = try programs.run(
        programs.command, words, input: input, on: machine, tpm: tpm)
      report.note(step, .none, outcome)
      if outcome.status == 0, arguments[0] != "status" {
        report.fault("\(folder.lastPathComponent) is missing, and \(step.verb) went well")
      } else if outcome.status != 0, !outcome.notes.contains(folder.path) {
        report.fault("\(folder.lastPathComponent) is missing: \(outcome.status) \(outcome.notes)")
      } else if outcome.status == 4 || outcome.status == 5
        || outcome.notes.contains("another device")
      {
        report.fault("\(folder.lastPathComponent) is missing: \(outcome.status) \(outcome.notes)")
      }
    }
    let made = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    if made.contains(where: { $0.hasPrefix("key") || $0.contains("device.") }) {
      report.fault("\(folder.lastPathComponent) is missing, and now has \(made)")
    }
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: away, to: folder)
    try resolve([], isHit: false)
  }
}
