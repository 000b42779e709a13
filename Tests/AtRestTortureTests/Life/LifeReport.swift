import Foundation

/// What happened in a life, and what went wrong that should not have.
struct LifeReport {
  let seed: UInt64
  private(set) var faults: [String] = []
  private(set) var steps = 0
  /// The number of programs by what went wrong in them.
  private var counts: [String: Int] = [:]
  private var verbs: [String: Int] = [:]
  private var log: [String] = []
  /// Writes that were reported as failed. Some of them are there.
  private(set) var failures = 0

  init(seed: UInt64) { self.seed = seed }

  mutating func begin(_ number: Int) { steps = number }

  mutating func note(_ step: LifeStep, _ fault: LifeFault, _ outcome: LifeOutcome) {
    // A kill or a failure whose call was not reached leaves a whole run.
    let name =
      fault.arguments(at: 1) == nil || outcome.isHit ? fault.name : LifeFault.none.name
    counts[name, default: 0] += 1
    verbs[step.verb, default: 0] += 1
    if outcome.failures > 0, outcome.status != 0 { failures += 1 }
    say(
      "\(step.text) [\(name), \(outcome.calls) calls] → \(outcome.status) \(outcome.output.prefix(60))"
    )
  }

  mutating func count(_ verb: String) {
    verbs[verb, default: 0] += 1
    say(verb)
  }

  mutating func say(_ line: String) { log.append("\(steps): \(line)") }

  mutating func fault(_ text: String) {
    faults.append("step \(steps), seed \(seed): \(text)")
  }

  /// The last steps, for somebody who looks for the cause of a fault.
  var tail: String { log.suffix(25).joined(separator: "\n") }

  var summary: String {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
    return "a life: \(steps) steps, seed \(seed), \(faults.count) faults; programs: "
      + "\(list(counts)); steps: \(list(verbs))"
  }
}
