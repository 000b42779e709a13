import Foundation

/// A scripted year of one user: two machines, with a store, databases, files, a vault and backups, whose
/// programs are killed, fail, and run twice or at the same time.
///
/// After each step, everything that was ever acknowledged is read back. A seed reproduces the steps;
/// the moment of a kill may differ by a few calls.
final class Life {
  let seed: UInt64
  let programs: LifePrograms
  let scratch: Scratch
  var generator: SeededGenerator
  var machines: [LifeMachine]
  var tpms: [LifeTPM?] = [nil, nil]
  /// The machine that is in use.
  var current = 0
  var backups: [LifeBackup] = []
  /// Reads everything after each step, in a process that opens the store anew each time.
  var reader: LifeWorker
  /// A program that holds the store of the machine open, or nil.
  var holder: LifeWorker?
  /// The agent of the machine, or nil.
  var agent: LifeAgent?
  /// Counts everything that needs a name of its own.
  var counter = 0
  var report: LifeReport
  /// The largest number of calls that a kind of step has made, from which the call is drawn that fails.
  private var calls: [String: Int] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed)
    scratch = try Scratch(in: Scratch.memory)
    programs = try LifePrograms(in: scratch.folder)
    reader = try LifeWorker(programs)
    let folder = scratch.folder
    machines = try ["first", "second"].map { try LifeMachine($0, in: folder) }
    report = LifeReport(seed: seed)
    guard try reader.perform(order("identity")).isDone else { throw CocoaError(.fileWriteUnknown) }
  }

  var machine: LifeMachine {
    get { machines[current] }
    set { machines[current] = newValue }
  }

  var tpm: String? { tpms[current]?.transport }

  /// Takes a number of steps, or stops at the first fault.
  func live(steps: Int) throws {
    for number in 1...steps {
      report.begin(number)
      try step()
      guard report.faults.isEmpty else { break }
      try checkOthers(number)
      guard report.faults.isEmpty else { break }
    }
  }

  // MARK: Choosing

  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

  func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element? {
    choices.randomElement(using: &generator)
  }

  func next() -> Int {
    counter += 1
    return counter
  }

  private func step() throws {
    guard machine.isAlive else { return try begin() }
    // The next program that opens a database is the first one after all others: see `LifeMachine.doubts`.
    if !machine.doubts.isEmpty, holder == nil, agent == nil { try resolve([], isHit: false) }
    guard report.faults.isEmpty else { return }
    switch number(below: 1_000) {
    case ..<640: try perform(change())
    case ..<700: try perform(refusal())
    case ..<740: try changePasscode()
    case ..<780: try makeBackup()
    case ..<830: try useHolder()
    case ..<880: try useAgent()
    case ..<910: try readLocked()
    case ..<940: try moveKey()
    case ..<965: try rekey()
    case ..<975: try miss()
    case ..<988: try travel()
    default: try wipe()
    }
  }

  // MARK: Running

  /// Returns the file of the passcode and the option for it, or nothing if there is none.
  func passcodeOption(_ passcode: String?) throws -> [String] {
    guard let passcode else { return [] }
    return ["--passcode-file", try programs.file(passcode)]
  }

  /// Returns an order for a worker on the machine.
  func order(_ verb: String, _ fields: [String: String] = [:]) -> [String: String] {
    var order = fields
    order["verb"] = verb
    order["machine"] = machine.folder.path
    order["tpm"] = tpm
    order["identity"] = programs.folder.appendingPathComponent("runs").path
    if order["passcodes"] == nil { order["passcodes"] = machine.passcode }
    return order
  }

  /// Runs a step's program, and lets something go wrong in it.
  func execute(_ step: LifeStep, _ fault: LifeFault) throws -> LifeOutcome {
    // The draw is made in any case, so that the rest of the life does not depend on it.
    let draw = number(below: 1 << 30)
    let most = calls[step.verb] ?? 30
    let injected = fault.arguments(at: 1 + draw % most)
    let outcome: LifeOutcome
    switch step.run {
    case .command(let arguments, let input):
      outcome = try programs.run(
        programs.command, arguments, input: input, on: machine, tpm: tpm, fault: injected)
    case .worker(let order):
      let line = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
      outcome = try programs.run(
        programs.worker, ["do", line], on: machine, tpm: tpm, fault: injected)
    case .held(let order): outcome = try executeHeld(order, fault, draw)
    }
    if injected != nil { calls[step.verb] = max(calls[step.verb] ?? 1, outcome.calls) }
    report.note(step, fault, outcome)
    // A program that is killed leaves its objects in the TPM. A resource manager frees them, which swtpm has not: it
    // has room for three, and then answers that it is out of memory.
    if outcome.isKilled { try tpms[current]?.restart() }
    return outcome
  }

  /// Lets the program that holds the store open carry out an order. It may be killed on the way.
  private func executeHeld(
    _ order: [String: String], _ fault: LifeFault, _ draw: Int
  ) throws -> LifeOutcome {
    guard let holder else { return LifeOutcome(status: 0, output: "", notes: "") }
    try holder.send(order)
    if case .killed = fault {
      usleep(UInt32(draw % 3_000))
      holder.kill()
      // An answer that was written before the kill counts.
      let answer = try holder.answer()
      self.holder = nil
      return LifeOutcome(
        status: answer?.isDone == true ? 0 : 128 + SIGKILL, output: "", notes: answer?.message ?? ""
      )
    }
    guard let answer = try holder.answer() else { throw LifeWorker.Ended(order: order) }
    return LifeOutcome(
      status: answer.isDone ? 0 : 1, output: answer.code, notes: answer.message)
  }
}
