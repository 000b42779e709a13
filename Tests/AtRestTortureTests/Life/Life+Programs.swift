import Foundation

/// The program that holds the store open, and the agent.
extension Life {
  func endHolder() { holder = nil }

  func endPrograms() {
    holder = nil
    agent = nil
  }

  // MARK: The program that holds the store open

  func useHolder() throws {
    guard holder != nil else {
      report.count("hold")
      let worker = try LifeWorker(programs)
      let answer = try worker.perform(order("hold"))
      guard answer.isDone else { return report.fault("hold: \(answer.code) \(answer.message)") }
      holder = worker
      return try checkHolder()
    }
    // It changes something itself.
    let change = change()
    guard case .worker(var order) = change.run else {
      report.count("release")
      return endHolder()
    }
    order["deed"] = order["verb"]
    order["verb"] = "held-deed"
    var step = LifeStep("held \(change.verb)", .held(order))
    step.effects = change.effects
    step.isAtomic = change.isAtomic
    // What holds the store open answers 0 or 1.
    step.again = change.again.contains(0) ? [0] : [1]
    step.isShared = false
    try perform(step)
  }

  /// Reads everything with the program that holds the store open.
  func checkHolder() throws {
    guard let holder else { return }
    let reading = try holder.perform(["verb": "held"])
    let comparison = LifeComparison(machine.entries, reading.values)
    if !reading.isDone || !comparison.differences.isEmpty {
      report.fault("held open: \(reading.message) \(comparison.text)")
    }
  }

  /// After a change of the passcode, an open program goes on, or it ends with *locked* or *wiped*.
  func tellOfPasscode() throws {
    endAgentsUnlock()
    guard let holder else { return }
    guard LifePromise.passcodeReachesPrograms.isKept else { return endHolder() }
    let values = try holder.perform(["verb": "held"]).values
    checkEnded(values, "held after a change of the passcode", codes: ["locked", "wiped"])
    endHolder()
  }

  func checkHolderAfterWipe() throws {
    guard let holder else { return }
    // What opens with a key outside of the store outlives it.
    let values = try holder.perform(["verb": "held"]).values.filter {
      !$0.key.hasPrefix("second/")
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where !value.hasPrefix("!") {
      report.fault("\(name) is readable after a wipe: \(value)")
    }
    // An open database can only say that its statements were interrupted.
    checkEnded(
      values.filter { !$0.value.hasPrefix("!sqlite-9 ") }, "held after a wipe", codes: ["wiped"])
    let added = try holder.perform([
      "verb": "held-deed", "deed": "set", "service": "life1", "account": "late", "secret": "lost",
    ])
    if added.code != "wiped" { report.fault("added after a wipe: \(added.code) \(added.message)") }
    endHolder()
  }

  private func checkEnded(_ values: [String: String], _ what: String, codes: [String]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let isRight =
        value.hasPrefix("!")
        ? codes.contains { value.hasPrefix("!\($0) ") }
        : machine.entries[name]?.value == value || name.hasPrefix("handle/")
      if !isRight { report.fault("\(what): \(name) is \(value)") }
    }
  }

  // MARK: The agent

  /// Runs `atrest` without a passcode, so the agent carries it out.
  private func byAgent(_ verb: String, _ arguments: [String], input: String = "") -> LifeStep {
    var step = LifeStep(verb, .command(arguments, input: input))
    step.isShared = false
    return step
  }

  func useAgent() throws {
    guard programs.agent != nil, machine.passcode != nil else { return }
    if agent?.isRunning != true { return try startAgent() }
    guard agent?.isUnlocked == true else { return try unlockAgent() }
    switch number(below: 6) {
    case 0:
      try perform(byAgent("lock", ["lock"]))
      endAgentsUnlock()
      guard report.faults.isEmpty else { return }
      try checkLocked()
    case 1:
      report.count("kill agent")
      agent = nil
    default:
      let place = ItemPlace("life1", "n\(number(below: 8))")
      guard let present = machine.entries[place.name] else { return try checkAgent() }
      let (accessible, label, _) = parts(of: present)
      let secret = "by the agent \(next())"
      var step = byAgent("agent update", ["update", "--secret"] + place.options, input: secret)
      step.effects = [place.name: item(place, secret, label: label, accessible: accessible)]
      try perform(step)
    }
  }

  private func startAgent() throws {
    report.count("start agent")
    agent = try LifeAgent(programs, on: machine, tpm: tpm)
    try unlockAgent()
    guard report.faults.isEmpty else { return }
    let grant = try byAgent(
      "grant",
      [
        "grant", "add", "--every-program", "--group", "atrest", "--group", "life.other", "--write",
      ] + passcodeOption(machine.passcode))
    judge(grant, try execute(grant, .none))
  }

  private func unlockAgent() throws {
    let unlock = try byAgent("unlock", ["unlock"] + passcodeOption(machine.passcode))
    judge(unlock, try execute(unlock, .none))
    agent?.isUnlocked = true
  }

  func endAgentsUnlock() { agent?.isUnlocked = false }

  /// Reads an item by the agent.
  func checkAgent() throws {
    guard let agent, agent.isUnlocked, agent.isRunning else { return }
    let names = machine.entries.keys.filter { $0.hasPrefix("item/") }.sorted()
    guard let name = pick(names), let entry = machine.entries[name] else { return }
    let step = byAgent("agent get", ["get"] + ItemPlace(name).options)
    let outcome = try execute(step, .none)
    judge(step, outcome)
    let secret = parts(of: entry).secret
    if outcome.status == 0, outcome.output != secret {
      report.fault("the agent gives \(outcome.output) for \(name), not \(secret)")
    }
  }

  /// After a lock, the program that holds the store open is locked too.
  private func checkLocked() throws {
    guard let holder else { return }
    let values = try holder.perform(["verb": "held"]).values
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where !value.hasPrefix("!") {
      guard let entry = machine.entries[name], entry.readable == .whileUnlocked else { continue }
      // A connection to a database that is open stays open.
      if name.hasPrefix("row/") { continue }
      report.fault("\(name) is readable after a lock: \(value)")
    }
    checkEnded(values, "held after a lock", codes: ["locked"])
    endHolder()
  }

  func checkAgentAfterWipe() throws {
    guard let agent, agent.isRunning else { return }
    guard LifePromise.wipeReachesPrograms.isKept else {
      self.agent = nil
      return
    }
    for name in machine.entries.keys.filter({ $0.hasPrefix("item/") }).sorted().prefix(3) {
      let step = byAgent("agent get", ["get"] + ItemPlace(name).options)
      let outcome = try execute(step, .none)
      if outcome.status == 0 {
        report.fault("the agent gives \(name) after a wipe: \(outcome.output)")
      } else if outcome.status != 1 && outcome.status != 3 {
        report.fault("the agent answers \(outcome.status) after a wipe: \(outcome.notes)")
      }
    }
    self.agent = nil
  }
}
