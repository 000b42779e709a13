import Foundation
import Synchronization

extension Life {
  /// Takes a step, in which something may go wrong, and reads everything back.
  func perform(_ step: LifeStep) throws {
    var fault = LifeFault(using: &generator)
    if !step.takesFaults, fault.arguments(at: 1) != nil { fault = .none }
    switch fault {
    case .doubled:
      judge(step, try execute(step, .none))
      try resolve([step], isHit: false)
      guard report.faults.isEmpty else { return }
      var second = step
      second.codes = step.again
      judge(second, try execute(second, .doubled))
      try resolve([step], isHit: false)
    case .together:
      guard step.isShared, let other = other(than: step) else {
        judge(step, try execute(step, .none))
        return try resolve([step], isHit: false)
      }
      try executeBoth(step, other)
      try resolve([step, other], isHit: false)
    default:
      let outcome = try execute(step, fault)
      judge(step, outcome)
      // What was acknowledged has to be there, whatever went wrong on the way.
      let isAcknowledged = outcome.status == 0
      try resolve([step], isHit: outcome.isHit && !isAcknowledged)
    }
  }

  /// Returns a step of another program that touches nothing that a step touches.
  private func other(than step: LifeStep) -> LifeStep? {
    for _ in 0..<8 {
      let other = change()
      if other.isShared, other.kind != step.kind,
        Set(other.effects.keys).isDisjoint(with: step.effects.keys)
      {
        return other
      }
    }
    return nil
  }

  private func executeBoth(_ first: LifeStep, _ second: LifeStep) throws {
    let steps = [first, second]
    let outcomes = Mutex<[Int: Result<LifeOutcome, any Error>]>([:])
    let (programs, machine, tpm) = (programs, machine, tpm)
    var runs: [(URL, [String], String)] = []
    for step in steps {
      switch step.run {
      case .command(let arguments, let input): runs.append((programs.command, arguments, input))
      case .worker(let order):
        let line = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        runs.append((programs.worker, ["do", line], ""))
      case .held: return
      }
    }
    let fixed = runs
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let (program, arguments, input) = fixed[index]
      let outcome = Result {
        try programs.run(program, arguments, input: input, on: machine, tpm: tpm)
      }
      outcomes.withLock { $0[index] = outcome }
    }
    for (index, step) in steps.enumerated() {
      guard let outcome = try outcomes.withLock({ try $0[index]?.get() }) else { continue }
      report.note(step, .together, outcome)
      judge(step, outcome)
    }
  }

  /// Reports a wrong answer.
  func judge(_ step: LifeStep, _ outcome: LifeOutcome) {
    if outcome.isKilled { return }
    // A disk that fails is a failure, and nothing else.
    if outcome.failures > 0, outcome.status == 1 { return }
    let isExplained =
      step.refusal.map { outcome.status == 0 || outcome.notes.contains($0) } ?? true
    if step.codes.contains(outcome.status), isExplained { return }
    report.fault(
      "wrong answer: \(outcome.status), expected \(step.codes.sorted()): "
        + "\(outcome.notes)\(outcome.output)")
  }

  // MARK: Reading back

  /// Reads everything on the machine, and compares it with what was acknowledged.
  ///
  /// - Parameter isHit: True if the steps failed on the way, so each of their effects may be there or
  ///   not.
  func resolve(_ steps: [LifeStep], isHit: Bool) throws {
    guard report.faults.isEmpty else { return }
    var after = machine.entries
    var passcodes = [machine.passcode]
    for step in steps where isHit || step.codes.contains(0) {
      for (name, entry) in step.effects { after[name] = entry }
      if let new = step.passcode { passcodes = isHit ? [machine.passcode, new] : [new] }
    }
    let reading = try read(passcodes.compactMap { $0 })
    guard reading.isDone else {
      return report.fault("the store does not open: \(reading.code) \(reading.message)")
    }
    var values = reading.values
    let passcode = values.removeValue(forKey: "passcode")
    let root = values.removeValue(forKey: "root")
    let found = passcodes.first { ($0 ?? "none") == passcode }
    guard let found else {
      return report.fault("the passcode is \(passcode ?? "-"), and not one of \(passcodes)")
    }
    if root != machine.root.rawValue { report.fault("the device key is in \(root ?? "-")") }
    for (name, entry) in after where entry.value == LifeEntry.unknown {
      if let value = values[name], !value.hasPrefix("!") { after[name]?.value = value }
    }
    for (name, doubt) in machine.doubts where after[name]?.value != values[name] {
      var entry = doubt
      // Which key pair was made is seen when it is there.
      if entry?.value == LifeEntry.unknown, let value = values[name], !value.hasPrefix("!") {
        entry?.value = value
      }
      if entry?.value == values[name] {
        after[name] = entry
        machine.entries[name] = entry
      }
    }
    let isWhole = steps.contains { $0.isAtomic }
    if found != machine.passcode {
      if let former = machine.passcode { machine.formerPasscodes.append(former) }
      machine.passcode = found
    }
    let candidates =
      if !isHit { [after] } else if isWhole { [machine.entries, after] } else {
        [merged(machine.entries, after, values)]
      }
    // The passcode and the items that end with it change together.
    let fitting = candidates.first { LifeComparison($0, values).differences.isEmpty }
    guard let fitting else {
      return report.fault(LifeComparison(candidates.last ?? [:], values).text)
    }
    machine.entries = fitting
    keepDoubts(steps, isHit: isHit)
  }

  /// Notes effects that are not there, but may come with the next connection: see
  /// `LifeMachine.doubts`.
  private func keepDoubts(_ steps: [LifeStep], isHit: Bool) {
    // The reading was made by the first connection after all others had ended, so it was the last word.
    if holder == nil && agent == nil { machine.doubts = [:] }
    for step in steps {
      let databases = Set(step.effects.keys.compactMap(LifeEntry.database))
      // One that was killed too may have written nothing, and then it has taken no place.
      let isThere = step.effects.allSatisfy { machine.entries[$0.key] == $0.value }
      if !isHit || isThere {
        machine.doubts = machine.doubts.filter {
          LifeEntry.database(of: $0.key).map(databases.contains) != true
        }
      }
      guard isHit, holder != nil || agent != nil else { continue }
      for (name, entry) in step.effects where machine.entries[name] != entry {
        if LifeEntry.database(of: name) != nil { machine.doubts[name] = .some(entry) }
      }
    }
  }

  /// Returns the entries of which each is as before or as after, whichever was read.
  private func merged(
    _ before: LifeEntries, _ after: LifeEntries, _ values: [String: String]
  ) -> LifeEntries {
    var result = after
    for name in Set(before.keys).union(after.keys)
    where after[name]?.value != values[name] && before[name]?.value == values[name] {
      result[name] = before[name]
    }
    return result
  }

  func read(_ passcodes: [String]) throws -> LifeWorker.Answer {
    let order = order("read", ["passcodes": passcodes.joined(separator: "\n")])
    return try reader.perform(order)
  }

  /// Reads now and then what is not in the middle of the steps: the other machine, the program that
  /// holds the store open, and items by the agent.
  func checkOthers(_ number: Int) throws {
    if number % 3 == 0 { try checkHolder() }
    if number % 4 == 1 { try checkAgent() }
    if number % 25 == 0 {
      current = 1 - current
      if machine.isAlive { try resolve([], isHit: false) }
      current = 1 - current
    }
  }
}
