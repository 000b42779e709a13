/// The precision of a class of findings, with the interval in which it is expected on other apps.
struct Estimate {
  let findings: Int
  let apps: Int
  let precision: Double
  /// The 95 % interval by the jackknife: the precision is computed without each app in turn, because the
  /// findings in one app are right or wrong together. It is nil for fewer than three apps.
  let interval: ClosedRange<Double>?

  /// Returns nil if there are no findings.
  init?(_ marks: [Score.Mark]) {
    guard !marks.isEmpty else { return nil }
    let byApp = Dictionary(grouping: marks, by: \.app)
    let worth = marks.reduce(0) { $0 + $1.worth }
    findings = marks.count
    apps = byApp.count
    precision = worth / Double(marks.count)
    guard byApp.count > 2 else {
      interval = nil
      return
    }
    let without = byApp.values.map { own in
      (worth - own.reduce(0) { $0 + $1.worth }) / Double(marks.count - own.count)
    }
    let count = Double(without.count)
    let mean = without.reduce(0, +) / count
    let squares = without.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = 1.96 * (squares * (count - 1) / count).squareRoot()
    interval = max(0, precision - error)...min(1, precision + error)
  }
}
