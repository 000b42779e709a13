import Foundation

/// Steps that have to be refused, each with the right code, and readings of a locked store.
extension Life {
  /// Returns a step that changes nothing, because it asks for what there is not or what it may not have.
  func refusal() throws -> LifeStep {
    let missing = ItemPlace("life1", "nobody")
    let present = machine.entries.keys.filter { $0.hasPrefix("item/") }.sorted()
    var step: LifeStep
    switch number(below: 8) {
    case 0:
      step = command("get nothing", ["get"] + missing.options)
      // An agent does not tell a program which items there are in groups that are not granted.
      step.codes = agent == nil ? [3] : [3, 5]
    case 1:
      step = command("update nothing", ["update", "--secret"] + missing.options, input: "x")
      step.codes = agent == nil ? [3] : [3, 5]
    case 2 where !present.isEmpty:
      let place = ItemPlace(pick(present) ?? present[0])
      step = command("add twice", ["add"] + place.options, input: "x")
      step.codes = [1]
    case 3 where machine.passcode != nil && !present.isEmpty:
      let place = ItemPlace(pick(present) ?? present[0])
      let readable = machine.entries[place.name]?.readable
      step = LifeStep("get locked", .command(["get", "--no-unlock"] + place.options, input: ""))
      step.codes = readable == .always ? [0] : [4]
    case 4,
      5 where machine.passcode != nil:
      let wrong = pick(machine.formerPasscodes.suffix(3)) ?? "a passcode that never was"
      let option = try passcodeOption(wrong)
      step = LifeStep("wrong passcode", .command(["list"] + option, input: ""))
      step.codes = [machine.passcode == nil || wrong == machine.passcode ? 0 : 5]
    case 6 where !machine.names("file/").isEmpty:
      let name = pick(machine.names("file/")) ?? ""
      step = LifeStep(
        "open locked",
        .command(["unprotect", "--quiet", "--no-unlock", "-o", "-", machine.file(name)], input: ""))
      let readable = machine.entries["file/\(name)"]?.readable
      step.codes = readable == .always || machine.passcode == nil ? [0] : [4]
    default:
      let file = machine.folder.appendingPathComponent("data/nothing").path
      step = command("open nothing", ["unprotect", "-o", "-", file])
      step.codes = [3]
    }
    step.again = step.codes
    step.isShared = false
    return step
  }

  /// Reads everything without the passcode: what needs it is locked, and neither missing nor damaged.
  func readLocked() throws {
    guard machine.passcode != nil else { return }
    report.count("read locked")
    let reading = try reader.perform(order("read", ["locked": "yes"]))
    guard reading.isDone else {
      return report.fault("the locked store does not open: \(reading.code) \(reading.message)")
    }
    for (name, value) in reading.values.sorted(by: { $0.key < $1.key }) {
      if value.hasPrefix("!"), !value.hasPrefix("!locked") {
        report.fault("\(name) of the locked store is not locked: \(value)")
      }
      if !value.hasPrefix("!"), let entry = machine.entries[name],
        entry.readable != .always || entry.value != value
      {
        report.fault("\(name) of the locked store is \(value)")
      }
    }
    for (name, entry) in machine.entries.sorted(by: { $0.key < $1.key })
    where entry.readable == .always && reading.values[name] != entry.value {
      report.fault("\(name) is not readable while locked: \(reading.values[name] ?? "-")")
    }
  }
}
