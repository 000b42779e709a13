import AtRestAudit
import Foundation

// AuditScore JUDGEMENTS SOURCES [RULE] audits the apps that have a file in the folder JUDGEMENTS, and
// compares the findings with it. The sources of each app are in SOURCES/owner/name, or in
// SOURCES/owner__name. Apps without sources are left out.
//
// The status is 1 if a finding that was judged right is lost, and 2 if nothing could be compared.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(2)
}

func percent(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "-" }

func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail("Usage: AuditScore JUDGEMENTS SOURCES") }
let sources = URL(fileURLWithPath: arguments[2])
let files = try FileManager.default.contentsOfDirectory(
  at: URL(fileURLWithPath: arguments[1]), includingPropertiesForKeys: nil
).filter { $0.pathExtension == "tsv" }.sorted { $0.path < $1.path }

var score = Score()
var absent: [String] = []
for file in files {
  let app: JudgedApp
  do { app = try JudgedApp(file) } catch { fail("\(error)") }
  let folders = [app.name, app.name.replacingOccurrences(of: "/", with: "__")].map {
    sources.appendingPathComponent($0).path
  }
  guard let folder = folders.first(where: FileManager.default.fileExists) else {
    absent.append(app.name)
    continue
  }
  score.add(app, try Audit(tree: SourceTree(folder: folder)).run())
}
guard absent.count < files.count else { fail("No sources were found in \(arguments[2]).") }

print("severity  right  debatable  wrong  precision")
for severity in Severity.allCases.reversed() {
  let numbers = [JudgedApp.Verdict.right, .debatable, .wrong].map { verdict in
    score.count(verdict) { $0.severity == severity }
  }
  print(
    severity.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
      + column("\(numbers[0])", 7) + column("\(numbers[1])", 11) + column("\(numbers[2])", 7)
      + column(percent(score.precision { $0.severity == severity }), 11))
}

func row(_ name: String, _ marks: [Score.Mark]) {
  guard let estimate = Estimate(marks) else { return }
  let interval = estimate.interval.map { "\(percent($0.lowerBound)) to \(percent($0.upperBound))" }
  print(
    "  " + name.padding(toLength: 40, withPad: " ", startingAt: 0)
      + column("\(estimate.findings)", 5)
      + column("\(estimate.apps)", 5) + column(percent(estimate.precision), 6) + "  "
      + (interval ?? "-"))
}

print("\ntier and severity: findings, apps, precision, 95 % interval by leaving out one app")
for tier in [.proved, .witnessed, .named, nil] as [EvidenceTier?] {
  for severity in Severity.allCases.reversed() {
    row(
      "\(tier?.rawValue ?? "not about a value"), \(severity.rawValue)",
      score.marks.filter { $0.tier == tier && $0.severity == severity })
  }
}
print("\nhigh and medium by rule and tier, the least precise first")
let serious = Dictionary(
  grouping: score.marks.filter { $0.severity >= .medium },
  by: { "\($0.rule), \($0.tier?.rawValue ?? "-")" })
for (name, marks) in serious.sorted(by: {
  (Estimate($0.value)?.precision ?? 0, $0.key) < (Estimate($1.value)?.precision ?? 0, $1.key)
}) {
  row(name, marks)
}
print()
let wrong = score.count(.wrong)
print(
  "all: precision \(percent(score.precision())), \(wrong) wrong in \(score.lines) lines, "
    + String(format: "%.2f in 10,000", Double(wrong) * 10_000 / Double(max(1, score.lines))))
print(
  "right findings kept \(score.count(.right)), lost \(score.countGone(.right)); wrong ones gone "
    + "\(score.countGone(.wrong)); problems that readers found beside them: "
    + "\(score.count(.missed)) found, \(score.countGone(.missed)) missed")

print("\nrule: right kept/lost, debatable kept/gone, wrong kept/gone, missed found/not, precision")
for rule in score.rules {
  let parts = [JudgedApp.Verdict.right, .debatable, .wrong, .missed].map { verdict in
    "\(score.count(verdict) { $0.rule == rule })/\(score.countGone(verdict, rule: rule))"
  }
  print(
    "  \(rule): \(parts.joined(separator: ", ")), \(percent(score.precision { $0.rule == rule }))")
}
for (title, places) in [
  ("lost", score.lost), ("wrong", score.wrong), ("to judge (high and medium)", score.unjudged),
] where !places.isEmpty {
  print("\n\(title):")
  for place in places { print("  " + place) }
}
if !absent.isEmpty { print("\nwithout sources: \(absent.joined(separator: ", "))") }
exit(score.lost.isEmpty ? 0 : 1)
